// A game on a page: the address says where one is, the tree keeps all lines that were looked at.

import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Failure, Files, View, Where } from '../api';
import { viewOf, whereKey } from '../lib/cache';
import { useBack } from '../lib/hooks';
import { packList, unpackList } from '../lib/pack';
import { emptyTree, movesTo, promote, remove, walk, type GameTree } from '../lib/tree';
import { failureOf } from '../parts/failure';
import { filesOf, navigate, type PageName, type Params } from '../route';

export interface GameOnPage {
  where: Where;
  /** The last position that could be shown; it stays while the next one is on its way. */
  view: View | null;
  /** Whether `view` is the one of the address. */
  settled: boolean;
  failure: Failure | null;
  tree: GameTree;
  /** The moves from the base to here. */
  moves: string[];
  play(move: string): void;
  goTo(node: number): void;
  goToMoves(moves: string[]): void;
  promote(node: number): void;
  remove(node: number): void;
  /** Changes parameters of the address; `undefined` leaves one out. */
  set(params: Record<string, string | undefined>, replace?: boolean): void;
}

export function useGame(page: PageName, params: Params): GameOnPage {
  const game = params.game || 'tic-tac-toe';
  const position = params.position || 'start';
  const files = useMemo<Files | undefined>(() => filesOf(params), [params.files]);
  const moves = useMemo(() => unpackList(params.moves), [params.moves]);
  const where = useMemo<Where>(
    () => ({ game, position, moves, ...(files ? { files } : {}) }),
    [game, position, moves, files],
  );
  const base = JSON.stringify([game, position, params.files ?? '']);
  const [kept, setKept] = useState({ base, tree: walk(emptyTree(), plies(moves)) });
  const [shown, setShown] = useState<{ key: string; view: View } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const key = whereKey(where);
  const turn = useBack(failure?.kind === 'lost');

  useEffect(() => {
    let current = true;
    setKept((before) => ({
      base,
      tree: walk(before.base === base ? before.tree : emptyTree(), plies(moves)),
    }));
    viewOf(where).then(
      (view) => {
        if (!current) return;
        setFailure(null);
        setShown({ key, view });
        setKept((before) => (before.base === base ? { base, tree: walk(before.tree, view.history) } : before));
      },
      (error: unknown) => current && setFailure(failureOf(error)),
    );
    return () => {
      current = false;
    };
  }, [key, turn]);

  const now = useRef(params);
  now.current = params;
  const set = useCallback((change: Record<string, string | undefined>, replace = true) => {
    const next: Params = {};
    for (const [name, value] of Object.entries({ ...now.current, ...change })) {
      if (value !== undefined) next[name] = value;
    }
    navigate(page, next, { replace });
  }, [page]);
  const goToMoves = (list: string[]) => set({ moves: packList(list) });
  return {
    where,
    view: shown?.view ?? null,
    settled: shown?.key === key && failure === null,
    failure,
    tree: kept.tree,
    moves,
    play: (move) => goToMoves([...moves, move]),
    goTo: (node) => goToMoves(movesTo(kept.tree, node)),
    goToMoves,
    promote: (node) => setKept({ base, tree: promote(kept.tree, node) }),
    remove: (node) => {
      const tree = remove(kept.tree, node);
      setKept({ base, tree });
      if (tree.current !== kept.tree.current) goToMoves(movesTo(tree, tree.current));
    },
    set,
  };
}

function plies(moves: string[]): { move: string }[] {
  return moves.map((move) => ({ move }));
}
