// What the proof page knows: the outline, the place on the board, and the open part of the tree. Everything is asked
// for piece by piece; answers to questions that are no longer asked are dropped.

import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Failure, Files, ProofNodeView, ProofOutline, ProofPlace } from '../../api';
import { backend } from '../../backend';
import { useComeback } from '../../lib/asked';
import { failureOf } from '../../parts/failure';
import { startsWith } from './path';
import { isEnd, PAGE, ProofStore, type Open } from './store';

/** Places whose pictures are kept for going back and forth. */
const VIEWS_KEPT = 30;
/** A list is searched for a move that an address names for so many pages. */
const MOST_PAGES = 20;
const AGAIN_MS = 300;

export interface ProofState {
  outline: ProofOutline | null;
  /** What stands at the place, or what stood at the last one while this one is on its way. */
  view: ProofNodeView | null;
  /** Where `view` is. */
  viewPath: string[];
  loading: boolean;
  failure: Failure | null;
  store: ProofStore;
  /** Grows whenever the store changes. */
  version: number;
  toggle(path: string[]): void;
  openAt(path: string[]): void;
  closeAt(path: string[]): void;
  page(path: string[], from: number): void;
  loadAll(): void;
  clearFailure(): void;
}

export function useProof(proof: string, certificate: number, path: string[], files: Files | undefined): ProofState {
  const store = useMemo(() => new ProofStore(certificate), [proof, certificate, files]);
  const views = useMemo(() => new Map<string, ProofNodeView>(), [proof, certificate, files]);
  const [version, changed] = useReducer((n: number, _: void) => n + 1, 0);
  const [shown, setShown] = useState<{ view: ProofNodeView; path: string[] } | null>(null);
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [tries, again] = useReducer((n: number, _: void) => n + 1, 0);
  const back = useComeback();
  const outline = useOutline(proof, back, setFailure);
  const live = useRef(store);
  live.current = store;
  const isLive = () => live.current === store;

  const place = (at: string[]): ProofPlace => ({ proof, certificate, path: at, ...(files ? { files } : {}) });

  const fail = (error: unknown) => {
    if (isLive()) setFailure(failureOf(error));
  };

  /** Asks for a piece of a list and holds it. */
  const load = async (at: string[], from = 0, behind = false): Promise<ProofNodeView | null> => {
    store.want(at);
    changed();
    try {
      const view = await backend.node(place(at), from, PAGE);
      if (!isLive() || !store.isWanted(at)) return null;
      store.put(at, view, behind);
      return view;
    } catch (error) {
      store.unwant(at);
      fail(error);
      return null;
    } finally {
      if (isLive()) changed();
    }
  };

  /** Where one move follows, what is behind it is opened, too: the replies are what one looks for. */
  const openOnly = async (view: ProofNodeView | null, at: string[]) => {
    const [only] = view?.children ?? [];
    if (view?.kind !== 'plays' || !only || isEnd(only.kind) || store.at([...at, only.move])) return;
    await load([...at, only.move]);
  };

  const open = async (at: string[]) => {
    await openOnly(await load(at), at);
    store.trim(path);
    changed();
  };

  /** Opens the places above the current one, each at the page of its list that holds the way down. */
  const openWay = async () => {
    for (let depth = 0; depth < path.length; depth += 1) {
      const [at, next] = [path.slice(0, depth), path[depth]];
      if (store.at(at)?.children.some((child) => child.move === next)) continue;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const view = await load(at, page * PAGE);
        if (!view || view.children.some((child) => child.move === next)) break;
        if (view.from + view.children.length >= view.children_total) break;
      }
      if (!isLive()) return;
    }
  };

  useEffect(() => {
    const key = store.key(path);
    let current = true;
    const show = (view: ProofNodeView) => {
      views.delete(key);
      views.set(key, view);
      for (const old of [...views.keys()].slice(0, Math.max(0, views.size - VIEWS_KEPT))) views.delete(old);
      setShown({ view, path });
      setFailure(null);
    };
    const kept = views.get(key);
    if (kept) show(kept);
    else setLoading(true);
    store.touch(path);
    const get = kept ? Promise.resolve(kept) : backend.node(place(path), 0, PAGE);
    get.then((view) => {
      if (!current) return;
      if (!kept) show(view);
      if (!store.at(path) && !isEnd(view.kind)) store.put(path, view);
      store.trim(path);
      changed();
      void openWay().then(() => openOnly(view, path));
    }, (error: unknown) => {
      if (current) fail(error);
    }).finally(() => {
      if (current) setLoading(false);
    });
    return () => {
      current = false;
    };
  }, [store, store.key(path), tries, failure?.kind === 'lost' ? back : 0]);

  // While the index is being made, sizes that were not known are asked for again.
  const indexed = outline?.indexed ?? 0;
  const wasWhole = useRef(false);
  useEffect(() => {
    if (!outline) return;
    // The index may have come to the place by now.
    if (failure && failure.kind !== 'lost' && (indexed < 1 || !wasWhole.current)) again();
    wasWhole.current = indexed === 1;
    const lacking = store.unsized().sort((a, b) => b.used - a.used).slice(0, 6);
    for (const held of lacking) void refresh(held);
    if (indexed === 1) views.clear();
    if (shown && shown.view.size === null) {
      backend.node(place(path), 0, PAGE).then((view) => {
        if (isLive() && startsWith(path, shown.path) && path.length === shown.path.length) setShown({ view, path });
      }, () => {});
    }
  }, [outline]);

  const refresh = async (held: Open) => {
    try {
      const view = await backend.node(place(held.path), held.from, Math.max(PAGE, held.children.length));
      // A long list that was put together from pages comes back shorter, and is better than one page.
      if (view.children.length < held.children.length) return;
      if (!isLive() || store.at(held.path) !== held) return;
      const used = held.used;
      store.put(held.path, view);
      const now = store.at(held.path);
      if (now) now.used = used;
      changed();
    } catch {
      // It is asked again; what matters failed elsewhere, too.
    }
  };

  return {
    outline, view: shown?.view ?? null, viewPath: shown?.path ?? [], loading, failure, store, version,
    openAt: (at) => void open(at),
    closeAt: (at) => {
      store.close(at);
      changed();
    },
    toggle(at) {
      if (store.at(at)) this.closeAt(at);
      else this.openAt(at);
    },
    page: (at, from) => void load(at, from),
    loadAll: () => {
      for (const held of store.openPlaces()) void loadRest(held.path);
    },
    clearFailure: () => setFailure(null),
  };

  /** All of a list, for filters; lists without an end stay cut. */
  async function loadRest(at: string[]) {
    const first = store.at(at);
    if (first && first.from > 0) await load(at, 0);
    for (let page = 1; page < MOST_PAGES; page += 1) {
      const held = store.at(at);
      if (!held || held.from + held.children.length >= held.total || !isLive()) return;
      if (!(await load(at, held.from + held.children.length, true))) return;
    }
  }
}

/** The outline, asked for again until the index is complete. */
function useOutline(proof: string, back: number, setFailure: (failure: Failure | null) => void): ProofOutline | null {
  const [outline, setOutline] = useState<ProofOutline | null>(null);
  useEffect(() => {
    setOutline((before) => (before?.proof === proof ? before : null));
    if (proof === '') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    const ask = () => {
      backend.outline(proof).then((answer) => {
        if (!current) return;
        setOutline(answer);
        if (answer.indexed < 1 && !answer.problem) timer = setTimeout(ask, AGAIN_MS);
      }, (error: unknown) => {
        if (current) setFailure(failureOf(error));
      });
    };
    ask();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [proof, back]);
  return outline;
}
