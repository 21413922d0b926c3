// Chess problems: a position, a stipulation, and the solution as problemists print it.

import '../pages.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Answer, Scene, WorkEvent } from '../api';
import { FailureBox } from '../parts/failure';
import { CheckField, TextField } from '../parts/fields';
import { isBusy, SearchPanel, useWork, type WorkHandle } from '../parts/search';
import { href, navigate } from '../route';
import type { PageProps } from './index';
import { SetupBoard, ShownBoard, useChessBoard } from './problem/diagram';
import { EXAMPLES, STIPULATIONS, type Example } from './problem/examples';
import { after, emptyDiagram, readFen, writeFen, type Diagram } from './problem/fen';
import { sections, type Token } from './problem/solution';
import { CopySolution, SolutionView } from './problem/solution-view';

interface Asked {
  tries: number;
  setPlay: boolean;
  variations: boolean;
}

export function ProblemPage({ params }: PageProps) {
  const fen = params.fen ?? EXAMPLES[0]?.fen ?? '';
  const stipulation = params.stipulation ?? '#2';
  const [asked, setAsked] = useState<Asked>({ tries: 1, setPlay: true, variations: true });
  const [flipped, setFlipped] = useState(false);
  const [chosen, setChosen] = useState<{ index: number; moves: string[]; text: string } | null>(null);
  const work = useWork();
  const empty = useChessBoard();
  const read = useMemo(() => readFen(fen), [fen]);
  const diagram = typeof read === 'string' ? emptyDiagram() : read;
  const put = (more: { fen?: string; stipulation?: string }) => {
    navigate('problem', { fen, stipulation, ...more }, { replace: true });
  };
  // Another problem has another solution.
  useEffect(() => {
    setChosen(null);
    work.clear();
  }, [fen, stipulation]);
  const solve = () => {
    setChosen(null);
    work.start({
      work: 'solve',
      job: {
        game: 'chess', position: fen.trim(), question: `formula ${stipulation.trim()}`, all: true,
        variations: asked.variations, tries: asked.tries, set_play: asked.setPlay,
      },
    });
  };
  return (
    <div class={`page page-problem ${chosen ? 'is-stepping' : ''}`}>
      <h1>Chess problems</h1>
      <Examples onPick={({ fen: position, stipulation: text }) => put({ fen: position, stipulation: text })} />
      <div class="problem-columns">
        <section class="problem-left" aria-label="The diagram">
          <Diagrams
            empty={empty} diagram={diagram} chosen={chosen?.moves ?? null} way={chosen?.text ?? ''} flipped={flipped}
            onChange={(next) => put({ fen: writeFen(next) })}
          />
          <BoardTools
            diagram={diagram} chosen={chosen?.moves ?? null} flipped={flipped} onFlip={() => setFlipped(!flipped)}
            onChange={(next) => put({ fen: writeFen(next) })} onSetup={() => setChosen(null)}
          />
        </section>
        <div class="problem-right">
          <Question
            fen={fen} problem={typeof read === 'string' ? read : null} stipulation={stipulation} asked={asked}
            onAsked={setAsked} onPut={put} onSolve={solve} work={work} side={diagram.side}
          />
          <Solution
            work={work} stipulation={stipulation} chosen={chosen?.index ?? null}
            onChoose={(index, token) => setChosen({ index, moves: token.moves ?? [], text: token.text })}
          />
        </div>
      </div>
    </div>
  );
}

function Examples({ onPick }: { onPick(example: Example): void }) {
  return (
    <div class="toolbar" role="group" aria-label="Examples">
      {EXAMPLES.map((example) => (
        <button key={example.name} type="button" class="pill" data-testid="example" onClick={() => onPick(example)}>
          {example.name} <span class="quiet">{example.stipulation}</span>
        </button>
      ))}
    </div>
  );
}

interface DiagramsProps {
  empty: Scene | null;
  diagram: Diagram;
  chosen: string[] | null;
  way: string;
  flipped: boolean;
  onChange(diagram: Diagram): void;
}

function Diagrams({ empty, diagram, chosen, way, flipped, onChange }: DiagramsProps) {
  if (!empty) return <div class="board-room" aria-busy="true" />;
  if (!chosen) return <SetupBoard empty={empty} diagram={diagram} flipped={flipped} onChange={onChange} />;
  const move = chosen[chosen.length - 1];
  return <ShownBoard empty={empty} diagram={after(diagram, chosen)} move={move} way={way} flipped={flipped} />;
}

interface ToolsProps {
  diagram: Diagram;
  chosen: string[] | null;
  flipped: boolean;
  onFlip(): void;
  onChange(diagram: Diagram): void;
  onSetup(): void;
}

function BoardTools({ diagram, chosen, flipped, onFlip, onChange, onSetup }: ToolsProps) {
  const shown = chosen ? after(diagram, chosen) : diagram;
  return (
    <div class="toolbar">
      {chosen
        ? <button type="button" data-testid="problem-setup" onClick={onSetup}>Back to the diagram</button>
        : <button type="button" onClick={() => onChange(emptyDiagram())}>Clear</button>}
      <button type="button" aria-pressed={flipped} onClick={onFlip}>Flip</button>
      <button type="button" onClick={() => navigate('board', { game: 'chess', position: writeFen(shown) })}>
        Open on the board
      </button>
    </div>
  );
}

interface QuestionProps {
  fen: string;
  problem: string | null;
  stipulation: string;
  side: 'w' | 'b';
  asked: Asked;
  work: WorkHandle;
  onAsked(asked: Asked): void;
  onPut(more: { fen?: string; stipulation?: string }): void;
  onSolve(): void;
}

function Question(props: QuestionProps) {
  const { fen, stipulation, asked, work, onAsked, onPut } = props;
  const busy = isBusy(work.state);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!busy) props.onSolve();
  };
  const withSide = (side: string) => onPut({ fen: fen.trim().replace(/^(\S+)(\s+\S+)?/, `$1 ${side}`) });
  return (
    <form class="panel problem-question" aria-label="The problem" onSubmit={submit}>
      <TextField
        above label="FEN" class="mono" value={fen} testid="fen" invalid={props.problem !== null} describedBy="fen-problem"
        onValue={(text) => onPut({ fen: text })}
      />
      <p class="field-problem" id="fen-problem" role="status">{props.problem ?? ''}</p>
      <div class="toolbar">
        <label class="inline">
          Begins{' '}
          <select value={props.side} onChange={(event) => withSide(event.currentTarget.value)}>
            <option value="w">White</option>
            <option value="b">Black</option>
          </select>
        </label>
        <TextField
          label="Stipulation" class="short mono" value={stipulation} testid="stipulation"
          onValue={(text) => onPut({ stipulation: text })}
        />
        {busy
          ? <button type="button" onClick={() => work.stop()}>Stop</button>
          : <button type="submit" class="primary" disabled={props.problem !== null} data-testid="problem-solve">Solve</button>}
      </div>
      <AskedFor asked={asked} onAsked={onAsked} />
      <details>
        <summary>What can be asked</summary>
        <dl class="facts">
          {STIPULATIONS.flatMap(([form, meaning]) => [
            <dt key={form}><code>{form}</code></dt>,
            <dd key={meaning}>{meaning}</dd>,
          ])}
        </dl>
      </details>
    </form>
  );
}

function AskedFor({ asked, onAsked }: { asked: Asked; onAsked(asked: Asked): void }) {
  const tries = (text: string) => onAsked({ ...asked, tries: Number(text) });
  return (
    <div class="toolbar">
      <label class="inline">
        Tries that fail to at most{' '}
        <select value={String(asked.tries)} onChange={(event) => tries(event.currentTarget.value)}>
          <option value="0">none</option>
          {['1', '2', '3'].map((count) => <option key={count} value={count}>{count}</option>)}
        </select>
      </label>
      <CheckField label="set play" checked={asked.setPlay} onChecked={(setPlay) => onAsked({ ...asked, setPlay })} />
      <CheckField label="variations" checked={asked.variations} onChecked={(variations) => onAsked({ ...asked, variations })} />
    </div>
  );
}

interface SolutionProps {
  work: WorkHandle;
  stipulation: string;
  chosen: number | null;
  onChoose(index: number, token: Token): void;
}

function Solution({ work, stipulation, chosen, onChoose }: SolutionProps) {
  const { last, status } = work.state;
  const solved = last?.event === 'solved' ? last : null;
  const parts = useMemo(() => (solved?.answer.problem ? sections(solved.answer.problem, stipulation) : null), [solved]);
  return (
    <section class="panel problem-solution" aria-label="What was found">
      <div aria-live="polite" data-testid="problem-answer">
        {!last && status === 'idle' && <p class="quiet">The solution stands here when it is found.</p>}
        {solved && <Headline solved={solved} />}
        {last?.event === 'failed' && <FailureBox failure={last.failure} text={stipulation} />}
      </div>
      {status !== 'idle' && !last && <SearchPanel work={work} compact />}
      {parts && <SolutionView sections={parts} chosen={chosen} onChoose={onChoose} />}
      {solved && (
        <div class="toolbar">
          {parts && <CopySolution sections={parts} />}
          {solved.proof && (
            <a class="button" href={href('proof', { proof: solved.proof.proof })} data-testid="open-proof">Open the proof</a>
          )}
        </div>
      )}
    </section>
  );
}

function Headline({ solved }: { solved: Extract<WorkEvent, { event: 'solved' }> }) {
  const { answer } = solved;
  return (
    <>
      <p class={`verdict ${answer.holds ? 'good' : answer.holds === false ? 'bad' : ''}`}>
        <span aria-hidden="true">{answer.holds ? '✓ ' : answer.holds === false ? '✗ ' : '? '}</span>
        {headline(answer, solved.text)}
      </p>
      {answer.problem?.incomplete && <p class="quiet">This is not all: the budget was used up, or there is too much.</p>}
    </>
  );
}

/** The sentence of the printed answer; below the drawing of the board, which stands beside it here anyway. */
function headline(answer: Answer, text: string): string {
  const line = text.split('\n').find((each) => each.startsWith(answer.game.split(':')[0] ?? ''));
  if (line) return line.trim();
  if (answer.holds === null || answer.holds === undefined) return `${answer.formula ?? ''}: not decided (${answer.stop})`;
  return `${answer.formula ?? ''}: ${answer.holds ? 'it can be solved' : 'there is no solution'}`;
}
