// The backend without a server: the same requests, carried to workers that run solver and checker as
// WebAssembly. One worker answers, so that a page is drawn while others search.

import type {
  Backend, GameEntry, ProofFound, ProofNodeView, ProofOutline, Sample, View, Words,
} from '../api';
import { ApiError } from '../api';
import { Jobs } from './jobs';
import type { Most } from './jobs';
import { Port } from './port';
import { Shelf } from './shelf';

/** As crates/wasm says; `words` tells the same. */
const MOST: Most = { seconds: 600, bytes: 1.5e9 };
const MOST_PLACES = 3;

function open(role: 'answers' | 'work', module: WebAssembly.Module | null): Port {
  const address = new URL('worker.js', document.baseURI);
  return new Port(new Worker(address, { type: 'module', name: `foregone ${role}` }), role, module);
}

/** Work at a time: one processor is left for the page. */
function places(): number {
  return Math.max(1, Math.min(MOST_PLACES, (navigator.hardwareConcurrency || 2) - 1));
}

/** Answers that stay the same as long as the page is open. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

class WorkerBackend implements Backend {
  readonly kind = 'worker';
  private shelf = new Shelf();
  private port: Port | null = null;
  private jobs = new Jobs(places(), MOST, this.shelf, async () => {
    const { module } = await this.answers().started;
    return open('work', module);
  });

  /** There is no server to lose. */
  onConnection(listener: (connected: boolean) => void): () => void {
    listener(true);
    return () => {};
  }

  words = once(async () => {
    const words = await this.ask<Words>('words', {});
    // Work that has used its budget waits here, too, though it begins anew when it is given more.
    return { ...words, limits: { ...words.limits, jobs: this.jobs.places, pauses: true } };
  });

  games = once(() => this.ask<GameEntry[]>('games', {}));

  samples = once(async () => {
    const response = await fetch('samples.json');
    return (await response.json()) as Sample[];
  });

  view: Backend['view'] = async (where, signal) => {
    const view = await this.ask<View>('view', where);
    signal?.throwIfAborted();
    return view;
  };

  run: Backend['run'] = (work, onEvent) => this.jobs.run(work, onEvent);

  openProof: Backend['openProof'] = async (file, onShare) => {
    const handle = this.shelf.keep(file);
    // Opened at once, so that its index is made while it is verified.
    await this.shelf.nameIn(this.answers(), handle.proof);
    onShare?.(1);
    return handle;
  };

  outline: Backend['outline'] = async (proof) =>
    ({ ...(await this.askOf<ProofOutline>(proof, 'outline', {})), proof });

  node: Backend['node'] = (place, from = 0, most = 100) =>
    this.askOf<ProofNodeView>(place.proof, 'node', { ...place, from, most });

  find: Backend['find'] = (place, position) =>
    this.askOf<ProofFound>(place.proof, 'find', { ...place, position });

  export: Backend['export'] = async (place, format, depth) =>
    (await this.askOf<{ text: string }>(place.proof, 'export', { ...place, format, depth })).text;

  download: Backend['download'] = async (proof) => this.shelf.file(proof);

  private answers(): Port {
    if (this.port === null || this.port.dead) this.port = open('answers', null);
    return this.port;
  }

  private ask<T>(request: string, body: unknown): Promise<T> {
    return this.answers().ask<T>({ request, body });
  }

  /** Asks about a proof, which the worker opens once more if it does not know it any more. */
  private async askOf<T>(proof: string, request: string, body: object): Promise<T> {
    const once = async (): Promise<T> => {
      const name = await this.shelf.nameIn(this.answers(), proof);
      return this.ask<T>(request, { ...body, proof: name });
    };
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure.kind !== 'gone') throw error;
      this.shelf.forget(this.answers(), proof);
      return once();
    }
  }
}

export function workerBackend(): Backend {
  return new WorkerBackend();
}
