// An answer: what is so, the line, the proof.

import type { Answer, ProofHandle, View } from '../api';
import { backend } from '../backend';
import { bytes, seconds, short, whole } from '../lib/format';
import { numberOf } from '../lib/scale';
import { shortNumber } from '../lib/values';
import { filesParam, href } from '../route';

/** The answer in a few words. */
export function headline(answer: Answer, view: View | null): string {
  const first = view?.shown.players[0] ?? 'the first player';
  if (answer.scores) return answer.scores.map(({ player, score }) => `${player} ${score}`).join(', ');
  if (answer.holds === true || answer.holds === false) {
    return answer.formula ? (answer.holds ? 'It holds' : 'It does not hold') : answer.holds ? 'Yes' : 'No';
  }
  if (answer.status !== 'solved' || answer.value === null || answer.value === undefined) {
    const [low, high] = answer.bounds ?? ['?', '?'];
    return low === high ? `Undecided` : `Undecided: ${low} to ${high}`;
  }
  if (answer.value_is === 'chance-to-win') return `${answer.player ?? first} wins ${percent(answer.value)}`;
  if (answer.value_is === 'points') return `${shortNumber(answer.value, false)} points${view?.shown.one_player ? '' : ` for ${answer.player ?? first}`}`;
  if (answer.strategies) return `${answer.value} for ${first}`;
  if (view?.shown.numbers || view?.shown.one_player) {
    const who = answer.winner ? `${answer.winner} wins, ` : '';
    return `${who}${answer.value}${view.shown.one_player ? '' : ` for ${first}`}`;
  }
  return answer.winner ? `${answer.winner} wins` : answer.value === 'draw' ? 'A draw' : answer.value;
}

function percent(text: string): string {
  const n = numberOf(text);
  return n === null ? text : `${Number((n * 100).toFixed(3))} % of the time`;
}

export interface LineProps {
  /** The moves as the game writes them, and as people do. */
  line: string[];
  san?: string[] | undefined;
  /** Called with the number of moves that are pointed at; 0 when none is any more. */
  onPreview?: ((plies: number) => void) | undefined;
  onPlay?: ((plies: number) => void) | undefined;
}

/** A line of moves; pointing at one shows it, a click goes there. */
export function MoveLine({ line, san, onPreview, onPlay }: LineProps) {
  return (
    <ol class="line" data-testid="line" onMouseLeave={() => onPreview?.(0)}>
      {line.map((move, i) => (
        <li key={i}>
          <button
            type="button"
            class="move-button"
            onMouseEnter={() => onPreview?.(i + 1)}
            onFocus={() => onPreview?.(i + 1)}
            onBlur={() => onPreview?.(0)}
            onClick={() => onPlay?.(i + 1)}
          >
            {san?.[i] ?? move}
          </button>
        </li>
      ))}
    </ol>
  );
}

export interface AnswerPanelProps extends Omit<LineProps, 'line' | 'san'> {
  answer: Answer;
  view: View | null;
  text: string;
  proof: ProofHandle | null;
  files?: Record<string, string> | undefined;
}

/** So much of a line is shown. */
const MOST_PLIES = 80;

export function AnswerPanel({ answer, view, text, proof, files, onPreview, onPlay }: AnswerPanelProps) {
  const line = (answer.line ?? []).slice(0, MOST_PLIES);
  return (
    <section class="panel answer" aria-label="Answer" data-testid="answer">
      <p class="answer-headline" role="status">{headline(answer, view)}</p>
      {text && <p class="answer-text">{text}</p>}
      {answer.strategies && <Strategies answer={answer} view={view} />}
      {line.length > 0 && <MoveLine line={line} san={answer.line_san} onPreview={onPreview} onPlay={onPlay} />}
      <p class="quiet">
        {[answer.scheme, answer.driver ?? answer.algorithm].filter(Boolean).join(' + ')}
        {`: ${whole(answer.nodes)} nodes in ${seconds(answer.seconds)}`}
        {answer.seconds > 0.001 && `, ${short(answer.nodes / answer.seconds)}/s`}
        {answer.peak_bytes ? `, ${bytes(answer.peak_bytes)}` : ''}
      </p>
      <Proof answer={answer} proof={proof} files={files} />
    </section>
  );
}

function Strategies({ answer, view }: { answer: Answer; view: View | null }) {
  return (
    <div class="strategies">
      {answer.strategies?.map((strategy, side) => (
        <table key={side}>
          <caption>{view?.shown.players[side] ?? `player ${side + 1}`} plays</caption>
          <tbody>
            {Object.entries(strategy).map(([move, often]) => (
              <tr key={move}><th scope="row">{move}</th><td>{often}</td></tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

function Proof({ answer, proof, files }: { answer: Answer; proof: ProofHandle | null; files: Record<string, string> | undefined }) {
  const summary = answer.proof;
  if (!summary) return <p class="quiet">No proof was made.</p>;
  const said = summary.proved
    ? `Proved${summary.checked ? ' and checked' : ''}: ${whole(summary.claims)} claims${summary.known > 0 ? `, ${whole(summary.known)} of them by knowledge` : ''}.`
    : `Not proved: ${whole(summary.recomputed)} claims had to be computed anew.`;
  return (
    <div class="proof-summary">
      <p>{said}</p>
      {proof && (
        <p class="tools">
          <a class="button" href={href('proof', { proof: proof.proof, files: filesParam(files) })} data-testid="open-proof">Open the proof</a>
          <button type="button" onClick={() => void save(proof, answer.game)}>Download ({bytes(proof.bytes)})</button>
        </p>
      )}
    </div>
  );
}

async function save(proof: ProofHandle, game: string): Promise<void> {
  const blob = await backend.download(proof.proof);
  saveBlob(blob, `${game.replace(/[^a-zA-Z0-9.-]+/g, '-')}.proof.txt`);
}

/** Lets the browser save something under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
