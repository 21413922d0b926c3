// A proof as a tree that one walks with mouse or keyboard. Only the rows that can be seen are in the document, so that
// a list of thousands is as quick as one of ten.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Row } from '../pages/proof/store';
import { kindOf } from '../pages/proof/store';
import { answerText, claimsText, KINDS, shareOf, shareText, sizeText } from '../pages/proof/words';

/** Pixels; the style sheet has the same. */
const ROW = 34;
const BEYOND = 8;
const DEEPEST_INDENT = 16;

export interface ProofTreeProps {
  rows: Row[];
  /** The place that the board shows. */
  current: string;
  /** Whether claims have sizes at all. */
  sized: boolean;
  onShow(path: string[]): void;
  onOpen(path: string[]): void;
  onClose(path: string[]): void;
  onPage(path: string[], from: number): void;
}

export function ProofTree(props: ProofTreeProps) {
  const { rows, current } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(480);
  const [active, setActive] = useState(current);
  const at = Math.max(0, rows.findIndex((row) => row.key === active));

  useEffect(() => setActive(current), [current]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // The active row stays in sight; it moves when rows above it come or go.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const y = at * ROW;
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + ROW > element.scrollTop + element.clientHeight) element.scrollTop = y + ROW - element.clientHeight;
  }, [at, height]);

  const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + BEYOND);
  const seen = rows.slice(first, last);
  const row = rows[at];
  return (
    <div
      class="proof-tree" role="tree" tabIndex={0} ref={box} data-testid="proof-tree" aria-label="The proof as a tree"
      aria-activedescendant={at >= first && at < last ? rowId(at) : undefined}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={(event) => {
        if (row && pressed(event, props, row, at, setActive, height)) event.preventDefault();
      }}
    >
      <div role="none" style={{ height: `${first * ROW}px` }} />
      {seen.map((each, i) => (
        <TreeRow
          key={each.key} row={each} index={first + i} active={first + i === at} current={each.key === current}
          tree={props} onActivate={setActive}
        />
      ))}
      <div role="none" style={{ height: `${(rows.length - last) * ROW}px` }} />
    </div>
  );
}

function rowId(index: number): string {
  return `proof-row-${index}`;
}

/** What a key does; whether it does anything. */
function pressed(
  event: KeyboardEvent, tree: ProofTreeProps, row: Row, at: number, setActive: (key: string) => void, height: number,
): boolean {
  const { rows } = tree;
  const go = (index: number) => {
    const to = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (to) setActive(to.key);
    return true;
  };
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const step = Math.max(1, Math.floor(height / ROW) - 1);
  switch (event.key) {
    case 'ArrowDown': return go(at + 1);
    case 'ArrowUp': return go(at - 1);
    case 'PageDown': return go(at + step);
    case 'PageUp': return go(at - step);
    case 'Home': return go(0);
    case 'End': return go(rows.length - 1);
    case 'ArrowRight':
      if (row.what !== 'place') return true;
      if (row.open === false) tree.onOpen(row.path);
      else if (row.open) go(at + 1);
      return true;
    case 'ArrowLeft':
      if (row.what === 'place' && row.open && row.level > 1) tree.onClose(row.path);
      else go(rows.findIndex((each) => each.what === 'place' && each.level === row.level - 1 && isAbove(each, row)));
      return true;
    case 'Enter':
    case ' ':
      act(tree, row, setActive);
      return true;
    default: return false;
  }
}

function isAbove(above: Row, row: Row): boolean {
  const path = row.what === 'place' ? row.path.slice(0, -1) : row.path;
  return above.path.length === path.length && above.path.every((move, i) => move === path[i]);
}

function act(tree: ProofTreeProps, row: Row, setActive: (key: string) => void) {
  if (row.what === 'place') {
    setActive(row.key);
    tree.onShow(row.path);
  } else if (row.what !== 'hidden') {
    // The row for more is gone then; the one that leads back is at the other end of the page.
    setActive(row.key.slice(0, -1) + (row.what === 'later' ? '<' : '>'));
    tree.onPage(row.path, row.from);
  }
}

interface TreeRowProps {
  row: Row;
  index: number;
  active: boolean;
  current: boolean;
  tree: ProofTreeProps;
  onActivate(key: string): void;
}

function TreeRow({ row, index, active, current, tree, onActivate }: TreeRowProps) {
  const classes = ['proof-row', `indent-${Math.min(row.level - 1, DEEPEST_INDENT)}`];
  if (active) classes.push('is-active');
  if (current) classes.push('is-current');
  const click = () => act(tree, row, onActivate);
  if (row.what !== 'place') {
    return (
      <div
        class={`${classes.join(' ')} ${row.what === 'hidden' ? 'quiet' : 'is-more'}`} role="treeitem" id={rowId(index)}
        aria-level={row.level} onClick={click}
      >
        <span class="proof-twist" aria-hidden="true">{MORE_SIGNS[row.what]}</span>
        {moreText(row)}
      </div>
    );
  }
  if (row.above === 'plays' || row.above === 'mixes') classes.push('by-prover');
  return (
    <div
      class={classes.join(' ')} role="treeitem" id={rowId(index)} data-testid="proof-row" data-path={row.path.join(' ')}
      aria-level={row.level} aria-setsize={row.siblings} aria-posinset={row.place + 1} aria-selected={current}
      aria-expanded={row.open ?? undefined} aria-busy={row.loading || undefined} aria-label={spoken(row, tree.sized)} onClick={click}
    >
      <span
        class="proof-twist" aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onActivate(row.key);
          if (row.open) tree.onClose(row.path);
          else if (row.open === false) tree.onOpen(row.path);
        }}
      >
        {row.loading ? '◌' : row.open === null ? '' : row.open ? '▾' : '▸'}
      </span>
      <RowBody row={row} sized={tree.sized} />
    </div>
  );
}

const MORE_SIGNS = { earlier: '↑', later: '↓', hidden: '·' };

function moreText(row: Exclude<Row, { what: 'place' }>): string {
  const count = sizeText(row.count);
  if (row.what === 'hidden') return `${count} hidden by the filter`;
  return row.what === 'earlier' ? `${count} earlier ones` : `${count} more`;
}

/** Kinds whose rows say enough by their shape, their answer or their weight. */
const SAID = ['plays', 'replies', 'mixes', 'chance'];

type PlaceRow = Extract<Row, { what: 'place' }>;

/** A row for a screen reader. */
function spoken(row: PlaceRow, sized: boolean): string {
  const { child } = row;
  if (!child) return 'the beginning';
  const kind = kindOf(child);
  const words = [`${row.mover ? `${row.mover} ` : ''}${child.san ?? child.move}`];
  if (child.weight !== null) words.push(`weight ${shareText(child.weight)}`);
  if (child.answer !== null) words.push(`answered by ${answerText(child)}`);
  else words.push(child.same_as === null ? KINDS[kind].word : `the same as label ${child.same_as}`);
  if (sized) words.push(claimsText(child.size));
  return words.join(', ');
}

function RowBody({ row, sized }: { row: PlaceRow; sized: boolean }) {
  const { child } = row;
  if (!child) return <span class="proof-move">the beginning</span>;
  const kind = kindOf(child);
  const share = shareOf(child.weight);
  return (
    <>
      <span class={`proof-kind kind-${kind}`} title={KINDS[kind].about}>{KINDS[kind].shape}</span>
      <span class="proof-move">{child.san ?? child.move}</span>
      {child.answer !== null && <span class="proof-answer">answer {answerText(child)}</span>}
      {child.answer === null && !SAID.includes(kind) && (
        <span class="proof-word">{child.same_as === null ? KINDS[kind].word : `as #${child.same_as}`}</span>
      )}
      {share !== null && <ShareBar share={share} />}
      {child.weight !== null && <span class="proof-weight">{shareText(child.weight)}</span>}
      {sized && <span class="proof-size">{sizeText(child.size)}</span>}
    </>
  );
}

/** A share from 0 to 1 as a bar. */
export function ShareBar({ share }: { share: number }) {
  return (
    <svg class="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="share-all" width="100" height="10" rx="2" />
      <rect class="share-part" width={share * 100} height="10" rx="2" />
    </svg>
  );
}
