// A small form that changes the text of a graph: a state or a move more or less.

import { useState } from 'preact/hooks';
import { addEdge, addState, nameProblem, removeEdge, removeState, states, type GraphState } from './text';

interface EditProps {
  text: string;
  outcomes: string[];
  /** The state that was clicked. */
  chosen: string | null;
  onText(text: string): void;
}

export function EditForm(props: EditProps) {
  const [said, setSaid] = useState('');
  const all = states(props.text);
  const change = (next: string | null, why: string) => {
    setSaid(next === null ? why : '');
    if (next !== null) props.onText(next);
    return next !== null;
  };
  const chosen = all.find((state) => state.name === props.chosen);
  return (
    <section class="panel graph-edit" aria-label="Change the graph">
      <h2>Change the graph</h2>
      <AddState {...props} all={all} change={change} />
      <AddEdge {...props} all={all} change={change} />
      {chosen && <Chosen {...props} state={chosen} change={change} />}
      <p class="proof-note" role="status">{said}</p>
    </section>
  );
}

type Change = (next: string | null, why: string) => boolean;
type Part = EditProps & { all: GraphState[]; change: Change };

function AddState({ text, outcomes, all, change }: Part) {
  const [kind, setKind] = useState('max');
  const [name, setName] = useState('');
  const [rest, setRest] = useState('');
  const over = kind === 'end';
  const submit = (event: Event) => {
    event.preventDefault();
    const wrong = nameProblem(name) ?? (rest.trim() === '' ? 'say where it leads, or how it ends' : null);
    const next = wrong === null ? addState(text, kind, name, rest.trim()) : null;
    if (change(next, wrong ?? `there is a state ${name}`)) setName('');
  };
  return (
    <form class="toolbar" onSubmit={submit}>
      <select
        value={kind} aria-label="Kind of the state"
        onChange={(event) => {
          setKind(event.currentTarget.value);
          setRest('');
        }}
      >
        <option value="max">max moves</option>
        <option value="min">min moves</option>
        <option value="chance">chance moves</option>
        <option value="end">it is over</option>
      </select>
      <input
        class="short" aria-label="Name of the state" placeholder="name" value={name} data-testid="graph-name"
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <input
        class="short" aria-label={over ? 'Outcome' : 'Where it leads'} placeholder={over ? 'outcome' : 'leads to…'}
        list={over ? 'graph-outcomes' : 'graph-states'} value={rest} data-testid="graph-rest"
        onInput={(event) => setRest(event.currentTarget.value)}
      />
      <button type="submit" data-testid="graph-add-state">Add state</button>
      <datalist id="graph-outcomes">{outcomes.map((outcome) => <option key={outcome} value={outcome} />)}</datalist>
      <datalist id="graph-states">{all.map((state) => <option key={state.name} value={state.name} />)}</datalist>
    </form>
  );
}

function AddEdge({ text, all, chosen, change }: Part) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const movers = all.filter((state) => state.kind !== 'end');
  const source = from !== '' ? from : (movers.find((state) => state.name === chosen)?.name ?? movers[0]?.name ?? '');
  const submit = (event: Event) => {
    event.preventDefault();
    const wrong = nameProblem(to.replace(/:\d+$/, ''));
    if (change(wrong === null ? addEdge(text, source, to) : null, wrong ?? `${source} leads to ${to} already`)) setTo('');
  };
  return (
    <form class="toolbar" onSubmit={submit}>
      <select value={source} aria-label="From" onChange={(event) => setFrom(event.currentTarget.value)}>
        {movers.map((state) => <option key={state.name} value={state.name}>{state.name}</option>)}
      </select>
      <span aria-hidden="true">→</span>
      <input
        class="short" aria-label="To" placeholder="to" list="graph-states" value={to} data-testid="graph-to"
        onInput={(event) => setTo(event.currentTarget.value)}
      />
      <button type="submit" data-testid="graph-add-edge">Add move</button>
    </form>
  );
}

function Chosen({ text, state, change }: EditProps & { state: GraphState; change: Change }) {
  return (
    <div class="toolbar">
      <strong>{state.name}</strong>
      {state.next.map((to) => (
        <button
          key={to} type="button" class="pill" aria-label={`Take away the move to ${to}`}
          onClick={() => change(removeEdge(text, state.name, to), '')}
        >
          → {to} <span aria-hidden="true">✕</span>
        </button>
      ))}
      <button type="button" class="pill" onClick={() => change(removeState(text, state.name), '')}>Take away {state.name}</button>
    </div>
  );
}
