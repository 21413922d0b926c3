// Rules that a person types: read again a moment after each change, with what is wrong with them.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Failure, Files, View } from '../api';
import { backend } from '../backend';
import { failureOf } from '../parts/failure';
import { useComeback } from './asked';
import { problemOf, warningOf, type EditorProblem } from './editor-marks';

const WAIT_MS = 400;

export interface ReadRules {
  /** What the rules gave when they were right the last time. */
  view: View | null;
  /** Whether `view` is that of the text as it stands. */
  fresh: boolean;
  busy: boolean;
  problems: EditorProblem[];
  /** A failure that is not the text's fault. */
  failure: Failure | null;
}

interface Known {
  text: string;
  kind: string;
  position: string;
  view: View | null;
  failure: Failure | null;
}

/** The name under which the page keeps a text of a kind of game. */
export function ownFile(kind: string): string {
  const endings: Record<string, string> = { gdl: 'kif', explicit: 'game', joint: 'joint', matrix: 'csv' };
  return `mine.${endings[kind] ?? 'txt'}`;
}

export function ownGame(kind: string): string {
  return `${kind}:${ownFile(kind)}`;
}

export function ownFiles(kind: string, text: string): Files {
  return { [ownFile(kind)]: text };
}

export function useRules(kind: string, text: string, position = 'start'): ReadRules {
  const [known, setKnown] = useState<Known | null>(null);
  const back = useComeback();
  const [good, setGood] = useState<{ kind: string; view: View } | null>(null);
  useEffect(() => {
    if (text.trim() === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const put = (view: View | null, failure: Failure | null) => {
        if (abort.signal.aborted) return;
        setKnown({ text, kind, position, view, failure });
        if (view) setGood({ kind, view });
      };
      backend.view({ game: ownGame(kind), files: ownFiles(kind, text), position }, abort.signal).then(
        (view) => put(view, null),
        (error: unknown) => put(null, failureOf(error)),
      );
    }, known?.kind === kind ? WAIT_MS : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [kind, text, position, known?.failure?.kind === 'lost' ? back : 0]);
  const isKnown = known?.text === text && known.kind === kind && known.position === position;
  const empty = text.trim() === '';
  const problems = useMemo(() => problemsOf(known, kind, empty), [known, kind, empty]);
  const lost = known?.failure && known.failure.kind === 'lost' ? known.failure : null;
  return {
    view: good?.kind === kind ? good.view : null,
    fresh: isKnown && known.view !== null,
    busy: !isKnown && !empty,
    problems,
    failure: lost,
  };
}

function problemsOf(known: Known | null, kind: string, empty: boolean): EditorProblem[] {
  if (empty || !known || known.kind !== kind) return [];
  if (known.failure) return known.failure.kind === 'lost' ? [] : [problemOf(known.failure, ownFile(kind))];
  return (known.view?.warnings ?? []).map(warningOf);
}

/** A text that survives the page being closed. */
export function useKept(key: string, first: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => kept(key) ?? first);
  const keep = (next: string) => {
    setText(next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // A browser that keeps nothing still edits.
    }
  };
  return [text, keep];
}

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
