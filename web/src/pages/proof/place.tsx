// The place in the proof that is looked at: the way there, the board, what is claimed and why.

import { useState } from 'preact/hooks';
import type { ProofNodeView } from '../../api';
import { Board, type BoardArrow, type MoveValue } from '../../parts/board';
import { kindOf, type Kind } from './store';
import { answerText, claimsText, KINDS, percentText, shareOf, shareText, sizeText, weightsOf, type Weight } from './words';
import { ShareBar } from '../../parts/prooftree';

interface PlaceProps {
  view: ProofNodeView;
  path: string[];
  /** How the moves of the path are written, where that is known. */
  written: string[];
  busy: boolean;
  prover: string;
  /** Whether claims have sizes at all. */
  sized: boolean;
  /** Goes to a place. */
  onGo(path: string[]): void;
  /** Goes to the line that this one refers to. */
  onJump(): void;
  canBack: boolean;
}

export function Place(props: PlaceProps) {
  const { view, path, onGo } = props;
  const [flipped, setFlipped] = useState(false);
  const [note, setNote] = useState('');
  const play = (move: string) => {
    const answer = playable(view, move);
    setNote(answer ?? '');
    if (answer === null) onGo([...path, move]);
  };
  const only = view.kind === 'plays' ? view.children[0] : undefined;
  return (
    <section class="proof-place" aria-label="The place" aria-busy={props.busy}>
      <Breadcrumb path={path} written={props.written} onGo={onGo} />
      <Board
        scene={view.view.scene} usual={view.view.usual} label={`the position, ${view.to_move ?? 'nobody'} to move`}
        onMove={play} flipped={flipped} values={valuesOf(view)} arrows={arrowsOf(view)}
        joint={playersOf(view)} testid="proof-board"
      />
      <div class="proof-steps">
        <button type="button" disabled={path.length === 0} onClick={() => onGo(path.slice(0, -1))}>↑ Up</button>
        <button type="button" disabled={!props.canBack} onClick={() => history.back()}>← Back</button>
        {only && (
          <button type="button" class="primary" data-testid="proof-follow" onClick={() => onGo([...path, only.move])}>
            Follow {only.san ?? only.move}
          </button>
        )}
        <button type="button" aria-pressed={flipped} onClick={() => setFlipped(!flipped)}>Flip</button>
      </div>
      <p class="proof-note" aria-live="polite">{note}</p>
      <Claim view={view} sized={props.sized} onJump={props.onJump} />
      {hasWeights(view) && <Mixture weights={weightsOf(view.children, proverPlace(view, props.prover))} />}
    </section>
  );
}

function hasWeights(view: ProofNodeView): boolean {
  return view.children.some((child) => shareOf(child.weight) !== null);
}

/** The players of joint moves, else nobody. */
function playersOf({ view }: ProofNodeView): string[] | undefined {
  if (view.moves.length < 2) return undefined;
  return [...new Set(view.scene.moves.map((touch) => touch.player))];
}

/** Null where the proof goes on with this move, else why not. */
function playable(view: ProofNodeView, move: string): string | null {
  if (view.children.some((child) => child.move === move)) return null;
  if (view.kind === 'plays') {
    const [own] = view.children;
    return `The proof needs only one move here: ${own?.san ?? own?.move ?? 'the prover’s'}.`;
  }
  const more = view.children.length < view.children_total;
  return more || view.pending ? null : 'The proof has no line for this move.';
}

function Breadcrumb({ path, written, onGo }: { path: string[]; written: string[]; onGo(path: string[]): void }) {
  // Of long ways the beginning and the end are shown.
  const shown = path.map((_, i) => i).filter((i) => path.length <= 14 || i < 4 || i >= path.length - 8);
  return (
    <nav class="proof-way" aria-label="The way here">
      <button type="button" class="link" onClick={() => onGo([])} disabled={path.length === 0}>start</button>
      {shown.map((i, n) => (
        <span key={i}>
          <span aria-hidden="true">{n > 0 && shown[n - 1] !== i - 1 ? ' … ' : ' › '}</span>
          <button
            type="button" class="link" aria-current={i === path.length - 1 ? 'location' : undefined}
            onClick={() => onGo(path.slice(0, i + 1))}
          >
            {written[i] ?? path[i]}
          </button>
        </span>
      ))}
    </nav>
  );
}

function Claim({ view, sized, onJump }: { view: ProofNodeView; sized: boolean; onJump(): void }) {
  const kind: Kind = view.same_as !== null ? 'same' : view.kind;
  return (
    <div class="proof-claim" aria-live="polite" data-testid="proof-claim">
      <p class="proof-sentence">
        <span class={`proof-kind kind-${kind}`} title={KINDS[kind].about}>{KINDS[kind].shape}</span> {view.sentence}
      </p>
      {view.same_as !== null && (
        <p>
          The line refers to the one labelled #{view.same_as}; what follows is its proof.{' '}
          <button type="button" class="link" data-testid="proof-jump" onClick={onJump}>Go to that line</button>
        </p>
      )}
      <dl class="facts">
        {view.subformula !== null && <><dt>asks</dt><dd><code>{view.subformula}</code></dd></>}
        {view.rule !== null && <><dt>rule</dt><dd>{view.rule}</dd></>}
        {view.reason !== null && <><dt>witness</dt><dd><code>{view.reason}</code></dd></>}
        {view.bound !== null && <><dt>guarantees</dt><dd>{view.bound}</dd></>}
        {sized && <><dt>below</dt><dd>{claimsText(view.size)}</dd></>}
        <dt>position</dt><dd><code>{view.view.position}</code></dd>
        <dt>line {view.line === null ? '…' : sizeText(view.line)}</dt><dd><code class="raw-line">{view.text}</code></dd>
      </dl>
    </div>
  );
}

/** Which part of joint moves is the prover's; null where moves are made in turn. */
function proverPlace(view: ProofNodeView, prover: string): number | null {
  const players = playersOf(view);
  return players && view.kind === 'mixes' ? Math.max(0, players.indexOf(prover)) : null;
}

function Mixture({ weights }: { weights: Weight[] }) {
  return (
    <table class="mixture" data-testid="mixture">
      <caption>How often</caption>
      <tbody>
        {weights.map(({ move, weight }) => (
          <tr key={move}>
            <th scope="row">{move}</th>
            <td class="mixture-bar"><ShareBar share={shareOf(weight) ?? 0} /></td>
            <td>{shareText(weight)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What is written on the moves of the board: the answer to a reply, or how often. */
function valuesOf(view: ProofNodeView): Record<string, MoveValue> {
  const values: Record<string, MoveValue> = {};
  for (const child of view.children) {
    if (view.kind === 'plays') continue;
    const share = shareOf(child.weight);
    const label = share !== null ? percentText(share) : (answerText(child) ?? KINDS[kindOf(child)].shape);
    const detail = child.answer !== null
      ? `answered by ${answerText(child)}, ${claimsText(child.size)}`
      : `${KINDS[kindOf(child)].word}, ${claimsText(child.size)}`;
    values[child.move] = { label, quality: 'neutral', best: false, detail };
  }
  return values;
}

/** The prover's move as an arrow; a move that goes nowhere is a mark on its cells. */
function arrowsOf(view: ProofNodeView): BoardArrow[] {
  const only = view.kind === 'plays' ? view.children[0] : undefined;
  const touch = only && view.view.scene.moves.find((each) => each.move === only.move);
  const [first] = touch?.cells ?? [];
  const last = touch?.cells[touch.cells.length - 1];
  if (!touch || first === undefined || last === undefined) return [];
  const best = { quality: 'good' as const, best: true };
  if (touch.travels) return [{ from: first, to: last, ...best }];
  return touch.cells.map((cell) => ({ from: cell, to: cell, ...best }));
}
