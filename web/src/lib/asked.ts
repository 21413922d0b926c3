// Answers that a page asks for once, and again when the server was lost and is back.

import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../api';
import { backend } from '../backend';
import { failureOf } from '../parts/failure';

/** Grows each time the server comes back. */
export function useComeback(): number {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let away = false;
    return backend.onConnection((connected) => {
      if (connected && away) setTimes((before) => before + 1);
      away = !connected;
    });
  }, []);
  return times;
}

export interface Asked<T> {
  answer: T | null;
  failure: Failure | null;
}

export function useAsked<T>(ask: () => Promise<T>, about: string): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ answer: null, failure: null });
  const back = useComeback();
  useEffect(() => {
    let current = true;
    ask().then(
      (answer) => current && setAsked({ answer, failure: null }),
      (error: unknown) => current && setAsked({ answer: null, failure: failureOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [about, asked.failure ? back : 0]);
  return asked;
}
