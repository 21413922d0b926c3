// Which letters of a text are underlined: places of errors, cut into pieces that can be drawn.

import type { Failure } from '../api';

export interface EditorProblem {
  severity: 'error' | 'warning';
  message: string;
  help: string | null;
  /** From 1; null where it is about the whole text. */
  line: number | null;
  column: number | null;
  word: string;
}

export type Piece = { text: string; mark: EditorProblem['severity'] | null };

/** The letters from..to of a text that a problem is about; null where it names no place in it. */
export function rangeOf(text: string, problem: EditorProblem): [number, number] | null {
  if (problem.line === null) return null;
  const lines = text.split('\n');
  const line = lines[problem.line - 1];
  if (line === undefined) return null;
  const start = lines.slice(0, problem.line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  if (problem.column === null) return [start, start + line.length];
  // Columns count characters; a text counts units, of which some characters have two.
  const front = [...line].slice(0, problem.column - 1).join('').length;
  const word = problem.word !== '' && line.startsWith(problem.word, front) ? problem.word.length : 1;
  return [start + front, Math.min(start + front + word, start + Math.max(line.length, front + 1))];
}

/** The text in pieces, marked where a problem is. Where several overlap, the first one counts. */
export function pieces(text: string, problems: EditorProblem[]): Piece[] {
  const ranges = problems.flatMap((problem) => {
    const range = rangeOf(text, problem);
    return range ? [{ from: range[0], to: range[1], mark: problem.severity }] : [];
  });
  ranges.sort((a, b) => a.from - b.from);
  const out: Piece[] = [];
  let at = 0;
  for (const { from, to, mark } of ranges) {
    if (from < at) continue;
    if (from > at) out.push({ text: text.slice(at, from), mark: null });
    // A mark at the end of a line would have nothing to underline.
    const marked = text.slice(from, to).replace(/\n$/, '');
    out.push({ text: marked === '' ? ' ' : marked, mark });
    at = marked === '' ? from : from + marked.length;
  }
  out.push({ text: text.slice(at), mark: null });
  return out;
}

const PLACE = /\bline (\d+)(?:, column (\d+))?(?:: )?/;

/** A failure as a problem of this file. Some name their place in the message only; places in other texts (the game's
 *  name) are told without a line. */
export function problemOf(failure: Failure, file: string): EditorProblem {
  const { place, help } = failure;
  if (place === null) return { ...warningOf(failure.message), severity: 'error', help };
  const here = place.name === file || place.name.endsWith(`/${file}`);
  return {
    severity: 'error', message: failure.message, help,
    line: here ? place.line : null, column: here ? place.column : null, word: here ? place.word : '',
  };
}

/** A warning, whose text may name its line. */
export function warningOf(text: string): EditorProblem {
  const match = PLACE.exec(text);
  const rest = match ? text.slice(match.index + match[0].length) : text;
  const word = /`([^`]+)`/.exec(rest)?.[1] ?? '';
  // The place stands beside the message, so it need not stand in it as well.
  const message = match?.[0].endsWith(': ') ? rest : text;
  return {
    severity: 'warning', message, help: null, word: match ? word : '',
    line: match ? Number(match[1]) : null, column: match?.[2] ? Number(match[2]) : null,
  };
}
