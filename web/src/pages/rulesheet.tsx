// Rules that a person types, with errors at their place as they are typed; then play and solve.

import '../pages.css';
import { useEffect, useMemo } from 'preact/hooks';
import type { Sample, View } from '../api';
import { backend } from '../backend';
import { useAsked } from '../lib/asked';
import { ownFiles, ownGame, useKept, useRules, type ReadRules } from '../lib/rules';
import { MiniBoard } from '../parts/board';
import { Editor } from '../parts/editor';
import { FailureBox } from '../parts/failure';
import { isBusy, SearchPanel, useWork } from '../parts/search';
import { filesOf, filesParam, href, navigate } from '../route';
import type { PageProps } from './index';

const KINDS = [
  { kind: 'gdl', name: 'Rulesheet (GDL)', sample: 'rulesheets/tic-tac-toe.kif' },
  { kind: 'joint', name: 'Joint moves', sample: 'examples/example-11.joint' },
  { kind: 'matrix', name: 'Matrix', sample: 'examples/rock-paper-scissors.csv' },
];

export function RulesheetPage({ params }: PageProps) {
  // A board whose rules a person typed leads back here by the name of its game.
  const named = params.kind ?? params.game?.split(':')[0] ?? 'gdl';
  const kind = KINDS.some((each) => each.kind === named) ? named : 'gdl';
  useEffect(() => {
    if (named === 'explicit') navigate('graph', { files: params.files ?? '' }, { replace: true });
  }, [named]);
  return <Rules key={kind} kind={kind} params={params} />;
}

function Rules({ kind, params }: PageProps & { kind: string }) {
  const [text, setText] = useKept(`rules.${kind}`, '');
  const samples = useSamples(kind);
  const rules = useRules(kind, text);
  // A link brings its own text, and an empty page begins with a sample.
  const linked = Object.values(filesOf(params) ?? {})[0];
  useEffect(() => {
    if (linked !== undefined) setText(linked);
  }, [linked]);
  useEffect(() => {
    const wanted = params.sample ?? KINDS.find((each) => each.kind === kind)?.sample;
    const first = samples.find((sample) => sample.path === wanted) ?? samples[0];
    if (first && linked === undefined && (params.sample !== undefined || text.trim() === '')) setText(first.text);
  }, [samples, params.sample]);
  const switchKind = (next: string) => navigate('rulesheet', { kind: next });
  const play = () => navigate('board', { game: ownGame(kind), files: filesParam(ownFiles(kind, text)) });
  return (
    <div class="page page-rules">
      <h1>Rulesheets</h1>
      <div class="toolbar">
        <label>
          Kind{' '}
          <select value={kind} data-testid="rules-kind" onChange={(event) => switchKind(event.currentTarget.value)}>
            {KINDS.map((each) => <option key={each.kind} value={each.kind}>{each.name}</option>)}
          </select>
        </label>
        <SamplePicker samples={samples} onPick={(sample) => setText(sample.text)} />
        <button type="button" class="primary" disabled={!rules.fresh} data-testid="rules-play" onClick={play}>Play</button>
      </div>
      <div class="rules-columns">
        <Editor value={text} label="Rules" problems={rules.problems} busy={rules.busy} onInput={setText} onSubmit={play} />
        <div class="rules-side">
          <FailureBox failure={rules.failure} />
          <Preview rules={rules} />
          <SolveOwn kind={kind} text={text} ready={rules.fresh} />
        </div>
      </div>
      <FormOf kind={kind} />
    </div>
  );
}

export function useSamples(kind: string): Sample[] {
  const { answer } = useAsked(() => backend.samples(), 'samples');
  return useMemo(() => (answer ?? []).filter((sample) => sample.game === kind), [answer, kind]);
}

export function SamplePicker({ samples, onPick }: { samples: Sample[]; onPick(sample: Sample): void }) {
  return (
    <label>
      Sample{' '}
      <select
        value="" data-testid="sample"
        onChange={(event) => {
          const sample = samples.find((each) => each.path === event.currentTarget.value);
          if (sample) onPick(sample);
          event.currentTarget.value = '';
        }}
      >
        <option value="">load a sample…</option>
        {samples.map((sample) => (
          <option key={sample.path} value={sample.path}>{sample.path.replace(/^.*\//, '')}: {sample.title}</option>
        ))}
      </select>
    </label>
  );
}

function Preview({ rules }: { rules: ReadRules }) {
  const { view } = rules;
  return (
    <section class={`panel preview ${rules.fresh ? '' : 'is-stale'}`} aria-label="The start" data-testid="rules-preview">
      <div class="preview-board">{view && <MiniBoard scene={view.scene} label="The position at the start" />}</div>
      {view ? <Facts view={view} /> : <p class="quiet">The board appears when the rules can be read.</p>}
    </section>
  );
}

function Facts({ view }: { view: View }) {
  const kind = view.joint ? 'moves at the same time' : 'moves in turn';
  const moves = view.shown.moves.map((list) => list.length).join(' × ');
  return (
    <dl class="facts">
      <dt>players</dt><dd>{view.shown.players.join(', ')}</dd>
      <dt>kind</dt><dd>{kind}{view.chance ? ', with chance' : ''}</dd>
      <dt>outcomes</dt><dd>{view.outcomes.join(', ')}</dd>
      <dt>first moves</dt><dd>{moves === '' ? 'none' : moves}</dd>
      <dt>begins</dt><dd>{view.shown.to_move ?? (view.joint ? 'both at once' : 'nobody: it is over')}</dd>
    </dl>
  );
}

interface SolveOwnProps {
  kind: string;
  text: string;
  /** Whether the text can be read. */
  ready: boolean;
  position?: string;
}

/** Solves the start, or a position, and prints the answer. */
export function SolveOwn({ kind, text, ready, position }: SolveOwnProps) {
  const work = useWork();
  const busy = isBusy(work.state);
  const solve = () => {
    const at = position && position !== 'start' ? { position } : {};
    work.start({ work: 'solve', job: { game: ownGame(kind), ...at }, files: ownFiles(kind, text) });
  };
  const { last } = work.state;
  useEffect(() => work.clear(), [kind, text, position]);
  return (
    <section class="panel solve-own" aria-label="Solve it">
      <div class="toolbar">
        {busy
          ? <button type="button" onClick={() => work.stop()}>Stop</button>
          : <button type="button" class="primary" disabled={!ready} data-testid="rules-solve" onClick={solve}>Solve</button>}
        {last?.event === 'solved' && last.proof && (
          <a
            class="button" data-testid="open-proof"
            href={href('proof', { proof: last.proof.proof, files: filesParam(ownFiles(kind, text)) })}
          >
            Open the proof
          </a>
        )}
      </div>
      <div aria-live="polite" data-testid="rules-answer">
        {last?.event === 'solved' && <pre class="answer-text">{last.text}</pre>}
        {last?.event === 'failed' && <FailureBox failure={last.failure} />}
      </div>
      {busy && <SearchPanel work={work} compact />}
    </section>
  );
}

/** How such a file is written. */
export function FormOf({ kind }: { kind: string }) {
  const { answer } = useAsked(() => backend.games(), 'games');
  const entry = answer?.find((game) => game.name === kind);
  if (!entry?.file) return null;
  return (
    <details class="panel form-of">
      <summary>How such a file is written</summary>
      <p class="form-text">{entry.file.about}</p>
      <pre><code>{entry.file.example}</code></pre>
    </details>
  );
}
