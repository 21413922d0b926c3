// Games typed as graphs, as far as a page edits them: which states there are, and lines that are added or changed.
// What a text means is for the library to say.

export interface GraphState {
  name: string;
  /** The word in front: `max`, `min`, `chance`, `end`. */
  kind: string;
  /** The line, from 0. */
  line: number;
  next: string[];
}

const KINDS = ['max', 'min', 'chance', 'end'];

function bare(line: string): string {
  return line.replace(/#.*$/, '').trim();
}

/** The states that have a line, in the order of the text. */
export function states(text: string): GraphState[] {
  return text.split('\n').flatMap((whole, line): GraphState[] => {
    const words = bare(whole).split(/\s+/);
    const [kind = '', name = ''] = words;
    if (!KINDS.includes(kind) || name === '') return [];
    const next = words.slice(words.indexOf('->') < 0 ? words.length : words.indexOf('->') + 1);
    return [{ name, kind, line, next: next.map((word) => word.replace(/:\d+$/, '')) }];
  });
}

/** What is wrong with a name, or null. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'a state needs a name';
  if (/[\s#:]/.test(name) || name === '->') return `"${name}" can’t be a name: no blanks, colons or #`;
  return null;
}

/** Adds a state at the end, or an outcome with `end`. The text stays as it is where the name is taken. */
export function addState(text: string, kind: string, name: string, rest: string): string | null {
  if (states(text).some((state) => state.name === name)) return null;
  const line = kind === 'end' ? `end ${name} ${rest}` : `${kind} ${name} -> ${rest}`;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line.trim()}\n`;
}

/** Adds a move from one state to another, in front of a comment. Null where there is no such state with moves, or the
 *  move is there. */
export function addEdge(text: string, from: string, to: string): string | null {
  const state = states(text).find((each) => each.name === from && each.kind !== 'end');
  if (!state || state.next.includes(to.replace(/:\d+$/, ''))) return null;
  return changeLine(text, state.line, (line) => {
    const comment = line.indexOf('#');
    const [front, behind] = comment < 0 ? [line, ''] : [line.slice(0, comment), ` ${line.slice(comment)}`];
    return `${front.trimEnd()}${front.includes('->') ? '' : ' ->'} ${to}${behind}`;
  });
}

/** Takes a move away. Null where there is none. */
export function removeEdge(text: string, from: string, to: string): string | null {
  const state = states(text).find((each) => each.name === from);
  if (!state || !state.next.includes(to)) return null;
  return changeLine(text, state.line, (line) => {
    const arrow = line.indexOf('->') + 2;
    const comment = line.indexOf('#') < 0 ? line.length : line.indexOf('#');
    const left = line.slice(arrow, comment).trim().split(/\s+/).filter((word) => word.replace(/:\d+$/, '') !== to);
    return `${line.slice(0, arrow)} ${left.join(' ')}${comment < line.length ? ` ${line.slice(comment)}` : ''}`.trimEnd();
  });
}

/** Takes a state and all moves to it away. */
export function removeState(text: string, name: string): string {
  const line = states(text).find((state) => state.name === name)?.line;
  const without = states(text).reduce((done, state) => removeEdge(done, state.name, name) ?? done, text);
  if (line === undefined) return without;
  const lines = without.split('\n');
  lines.splice(line, 1);
  return lines.filter((each) => bare(each) !== `start ${name}`).join('\n');
}

function changeLine(text: string, at: number, change: (line: string) => string): string {
  return text.split('\n').map((line, i) => (i === at ? change(line) : line)).join('\n');
}
