// Games typed as graphs: the text, the picture, and the value of every state on it.

import '../pages.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Failure, Scene } from '../api';
import { ownFiles, ownGame, useKept, useRules } from '../lib/rules';
import { Board } from '../parts/board';
import { Editor } from '../parts/editor';
import { FailureBox } from '../parts/failure';
import { useWork } from '../parts/search';
import { filesOf, filesParam, navigate } from '../route';
import { EditForm } from './graph/edit';
import { UNDETERMINED, withValues, type Valued } from './graph/values';
import type { PageProps } from './index';
import { FormOf, SamplePicker, SolveOwn, useSamples } from './rulesheet';

const KIND = 'explicit';

export function GraphPage({ params }: PageProps) {
  const [text, setText] = useKept('rules.explicit', '');
  const samples = useSamples(KIND);
  const linked = Object.values(filesOf(params) ?? {})[0];
  const position = params.position ?? 'start';
  const rules = useRules(KIND, text);
  const setPosition = (at: string) => {
    navigate('graph', { files: params.files ?? '', position: at === 'start' ? '' : at }, { replace: true });
  };
  useEffect(() => {
    if (linked !== undefined) setText(linked);
  }, [linked]);
  useEffect(() => {
    const first = samples.find((sample) => sample.path === (params.sample ?? 'examples/figure-2-2.game')) ?? samples[0];
    if (first && linked === undefined && (params.sample !== undefined || text.trim() === '')) setText(first.text);
  }, [samples, params.sample]);
  const change = (next: string) => {
    setText(next);
    // A text that came by a link is the person's own from now on.
    if (params.files || params.sample) navigate('graph', { position: params.position ?? '' }, { replace: true });
  };
  const share = () => navigate('graph', { files: filesParam(ownFiles(KIND, text)), position: params.position ?? '' });
  const chosen = position === 'start' ? null : position;
  return (
    <div class="page page-graph">
      <h1>Graphs</h1>
      <div class="toolbar">
        <SamplePicker samples={samples} onPick={(sample) => { change(sample.text); setPosition('start'); }} />
        <button
          type="button" disabled={!rules.fresh} data-testid="graph-play"
          onClick={() => navigate('board', { game: ownGame(KIND), files: filesParam(ownFiles(KIND, text)), position: chosen ?? '' })}
        >
          Play
        </button>
        <button type="button" disabled={!rules.fresh} onClick={share}>Link to this graph</button>
      </div>
      <FailureBox failure={rules.failure} />
      <div class="graph-columns">
        <div class="graph-side">
          <Editor value={text} label="The graph as text" problems={rules.problems} busy={rules.busy} onInput={change} />
          <EditForm text={text} outcomes={rules.view?.outcomes ?? []} chosen={chosen} onText={change} />
        </div>
        <div class="graph-main">
          <GraphBoard rules={rules} text={text} chosen={chosen} onChoose={setPosition} />
          <SolveOwn kind={KIND} text={text} ready={rules.fresh} position={position} />
        </div>
      </div>
      <FormOf kind={KIND} />
    </div>
  );
}

interface GraphBoardProps {
  rules: ReturnType<typeof useRules>;
  text: string;
  chosen: string | null;
  onChoose(position: string): void;
}

function GraphBoard({ rules, text, chosen, onChoose }: GraphBoardProps) {
  const { view, fresh } = rules;
  const [values, stop] = useValues(text, fresh ? (view?.scene ?? null) : null);
  const scene = useMemo(() => {
    if (!view) return null;
    const marked = withValues(view.scene, values.known, view.shown.players, view.outcomes);
    const at = marked.cells.findIndex((cell) => cell.name === chosen);
    return at < 0 ? marked : { ...marked, marks: [...marked.marks, { kind: 'last' as const, cells: [at] }] };
  }, [view, values, chosen]);
  const known = values.known.get(chosen ?? view?.position ?? '');
  return (
    <section class={`panel graph-board ${fresh ? '' : 'is-stale'}`} aria-label="The graph" data-testid="graph-board">
      <div class="graph-picture">
        {scene && (
          <Board
            scene={{ ...scene, moves: [] }} label="The graph; choose a state to ask from there" testid="graph"
            onCell={(cell) => onChoose(scene.cells[cell]?.name ?? 'start')}
          />
        )}
      </div>
      <p class="graph-said" role="status" data-testid="graph-value">
        {view && <><strong>{chosen ?? view.position}</strong>: {valueText(known, view.shown.players)}</>}
      </p>
      <p class="quiet graph-progress">
        {scene && `${values.known.size} of ${scene.cells.length} states valued`}
        {values.busy && <> · <button type="button" class="link" onClick={stop}>stop</button></>}
      </p>
      <FailureBox failure={values.failure} />
    </section>
  );
}

function valueText(known: Valued | undefined, players: string[]): string {
  if (!known) return 'not known yet';
  if (known.value === null || known.value === UNDETERMINED) return 'nobody can force an end';
  const who = known.winner ?? players[0] ?? 'the first player';
  const proved = known.proved ? ', proved' : '';
  return known.winner ? `${who} wins (${known.value}${proved})` : `${known.value} for ${who}${proved}`;
}

interface Values {
  known: Map<string, Valued>;
  busy: boolean;
  failure: Failure | null;
}

/** The values of all states of a picture, as they come. */
function useValues(text: string, scene: Scene | null): [Values, () => void] {
  const work = useWork();
  const [known, setKnown] = useState(new Map<string, Valued>());
  useEffect(() => {
    setKnown(new Map());
    work.clear();
    if (!scene) return;
    const positions = scene.cells.map((cell) => cell.name);
    work.start({ work: 'values', game: ownGame(KIND), files: ownFiles(KIND, text), positions }, (event) => {
      if (event.event === 'valued') setKnown((before) => new Map(before).set(event.position, event));
    });
    return () => work.stop();
  }, [text, scene]);
  const { status, failure } = work.state;
  return [{ known, busy: status === 'running' || status === 'queued', failure }, () => work.stop()];
}
