// The keys of the board page. Keys that are meant for a field or a cell are left to it.

import { useEffect, useRef } from 'preact/hooks';
import { isOnControl, isTyping } from '../lib/hooks';
import { ROOT, after, endOf, nodeOf } from '../lib/tree';
import { navigate } from '../route';
import type { GameOnPage } from './usegame';

export interface BoardActions {
  flip(): void;
  line(): void;
  values(): void;
  ask(): void;
}

export function useBoardKeys(game: GameOnPage, actions: BoardActions): void {
  const now = useRef({ game, actions });
  now.current = { game, actions };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const { game: at, actions: act } = now.current;
      if (event.key === ' ' && isOnControl(event.target)) return;
      const done = go(event.key, at) || other(event.key, act);
      if (done) event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

function go(key: string, { tree, goTo }: GameOnPage): boolean {
  const here = tree.current;
  switch (key) {
    case 'ArrowLeft': case 'Backspace': {
      const { parent } = nodeOf(tree, here);
      if (parent !== null) goTo(parent);
      return true;
    }
    case 'ArrowRight': {
      const next = after(tree, here);
      if (next !== null) goTo(next);
      return true;
    }
    case 'Home':
      goTo(ROOT);
      return true;
    case 'End':
      goTo(endOf(tree, here));
      return true;
    default:
      return false;
  }
}

function other(key: string, actions: BoardActions): boolean {
  switch (key) {
    case 'f':
      actions.flip();
      return true;
    case 'l':
      actions.line();
      return true;
    case 'v':
      actions.values();
      return true;
    case ' ':
      actions.ask();
      return true;
    case '?':
      navigate('help');
      return true;
    default:
      return false;
  }
}
