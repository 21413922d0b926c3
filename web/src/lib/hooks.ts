// Small hooks that pages share.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../api';
import { backend } from '../backend';
import { failureOf } from '../parts/failure';

/** Counts up whenever the server is back while `failed`: work that was lost is done again. */
export function useBack(failed: boolean): number {
  const [turn, setTurn] = useState(0);
  const now = useRef(failed);
  now.current = failed;
  useEffect(() => backend.onConnection((connected) => {
    if (connected && now.current) setTurn((n) => n + 1);
  }), []);
  return turn;
}

/** What a request answers, asked again when the keys change, and when the server is back. */
export function useAsked<T>(ask: () => Promise<T>, keys: unknown[]): { value: T | null; failure: Failure | null } {
  const [state, setState] = useState<{ value: T | null; failure: Failure | null }>({ value: null, failure: null });
  const turn = useBack(state.failure?.kind === 'lost');
  useEffect(() => {
    let current = true;
    ask().then(
      (value) => current && setState({ value, failure: null }),
      (error: unknown) => current && setState({ value: null, failure: failureOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [...keys, turn]);
  return state;
}

/** A choice that this browser remembers. */
export function useKept(name: string, first: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    try {
      const kept = localStorage.getItem(name);
      return kept === null ? first : kept === 'yes';
    } catch {
      return first;
    }
  });
  const set = (next: boolean) => {
    setValue(next);
    try {
      localStorage.setItem(name, next ? 'yes' : 'no');
    } catch {
      // It then holds as long as the page is open.
    }
  };
  return [value, set];
}

/** Whether a key was meant for a field, and not for the page. */
export function isTyping(target: EventTarget | null): boolean {
  const element = target instanceof Element ? target : null;
  return element?.closest('input, textarea, select, [contenteditable]') !== null && element !== null;
}

/** Whether something that keys act on has the focus: a button, a link, a cell of a board. */
export function isOnControl(target: EventTarget | null): boolean {
  const element = target instanceof Element ? target : null;
  return element?.closest('button, a, summary, [role="button"], [role="treeitem"]') !== null && element !== null;
}
