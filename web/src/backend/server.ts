// The backend over HTTP: requests as JSON, long work as server-sent events.

import {
  ApiError, LAST_EVENTS,
  type Backend, type Failure, type GameEntry, type OnShare, type ProofHandle, type RunningWork,
  type Sample, type View, type Where, type Words, type Work, type WorkEvent,
} from '../api';
import { Connection } from './connection';

/** A page of a server that is not on loopback carries a token in its address. */
const token = new URLSearchParams(location.search).get('token');

function headers(more: Record<string, string> = {}): Record<string, string> {
  return token === null ? more : { ...more, 'X-Foregone-Token': token };
}

const LOST: Failure = {
  kind: 'lost',
  message: 'The server can’t be reached.',
  help: 'It is asked again from time to time. Is `foregone serve` still running?',
  place: null,
};

const connection = new Connection(async () => {
  try {
    const asked = await fetch('api/words', {
      method: 'POST',
      headers: headers({ 'Content-Type': 'application/json' }),
      body: '{}',
    });
    return asked.status < 502;
  } catch {
    return false;
  }
});

/** The answer of a request, or the failure that it tells. */
async function answered(request: () => Promise<Response>): Promise<Response> {
  let response: Response;
  try {
    response = await request();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    connection.lost();
    throw new ApiError(LOST);
  }
  connection.reached();
  if (response.ok) return response;
  throw new ApiError(await failureOf(response));
}

async function failureOf(response: Response): Promise<Failure> {
  try {
    const body = (await response.json()) as { failure?: Failure };
    if (body.failure) return body.failure;
  } catch {
    // A proxy may answer with something else.
  }
  const kind = response.status === 404 ? 'gone' : response.status === 429 ? 'limit' : 'input';
  return { kind, message: `The server answered ${response.status}.`, help: null, place: null };
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await answered(() =>
    fetch(`api/${path}`, {
      method: 'POST',
      headers: headers({ 'Content-Type': 'application/json' }),
      body: JSON.stringify(body),
      signal: signal ?? null,
    }),
  );
  return (await response.json()) as T;
}

/** An upload with progress: `fetch` does not tell how far it is. */
function upload(file: Blob, onShare?: OnShare): Promise<ProofHandle> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', 'api/proofs');
    Object.entries(headers()).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.responseType = 'text';
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onShare?.(event.loaded / event.total);
    };
    request.onerror = () => {
      connection.lost();
      reject(new ApiError(LOST));
    };
    request.onload = () => {
      connection.reached();
      const response = new Response(request.responseText, { status: request.status || 500 });
      if (!response.ok) void failureOf(response).then((failure) => reject(new ApiError(failure)));
      else void response.json().then((handle: ProofHandle) => resolve(handle), reject);
    };
    request.send(file);
  });
}

function failed(failure: Failure): WorkEvent {
  return { event: 'failed', failure };
}

class ServerWork implements RunningWork {
  done: Promise<void>;
  private id: string | null = null;
  private source: EventSource | null = null;
  private stopped = false;
  private over = false;
  private finish: () => void = () => {};

  constructor(work: Work, private onEvent: (event: WorkEvent) => void) {
    this.done = new Promise((resolve) => (this.finish = resolve));
    void this.begin(work);
  }

  private async begin(work: Work): Promise<void> {
    try {
      const { id } = await post<{ id: string }>('work', work);
      this.id = id;
      if (this.stopped) this.stop();
      this.listen();
    } catch (error) {
      this.end(failed(error instanceof ApiError ? error.failure : LOST));
    }
  }

  private listen(): void {
    const query = token === null ? '' : `?token=${encodeURIComponent(token)}`;
    const source = new EventSource(`api/work/${this.id}/events${query}`);
    this.source = source;
    source.onopen = () => connection.reached();
    source.onmessage = (message) => {
      const event = JSON.parse(message.data as string) as WorkEvent;
      if (LAST_EVENTS.includes(event.event)) this.end(event);
      else if (!this.over) this.onEvent(event);
    };
    source.onerror = () => {
      if (this.over) return;
      // The browser comes back by itself with the number of the last event, unless the answer was an error:
      // then the work is gone, or something between here and there answers for the server.
      if (source.readyState !== EventSource.CLOSED) connection.lost();
      else void this.lookAgain();
    };
  }

  private async lookAgain(): Promise<void> {
    connection.lost();
    await connection.back();
    if (this.over) return;
    const gone: Failure = {
      kind: 'gone',
      message: 'The server no longer knows this work.',
      help: 'It was started anew, or nobody listened for too long. Ask again.',
      place: null,
    };
    this.end(failed(gone));
  }

  private end(event: WorkEvent): void {
    if (this.over) return;
    this.over = true;
    this.source?.close();
    this.onEvent(event);
    this.finish();
  }

  stop(): void {
    this.stopped = true;
    if (this.id !== null && !this.over) void post(`work/${this.id}/stop`, {}).catch(() => {});
  }

  more(seconds: number, bytes?: number): void {
    if (this.id === null || this.over) return;
    void post(`work/${this.id}/more`, bytes === undefined ? { seconds } : { seconds, bytes }).catch(() => {});
  }
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

export function serverBackend(): Backend {
  return {
    kind: 'server',
    onConnection: (listener) => connection.listen(listener),
    words: once(() => post<Words>('words', {})),
    games: once(() => post<GameEntry[]>('games', {})),
    samples: once(async () => {
      const response = await answered(() => fetch('samples.json', { headers: headers() }));
      return (await response.json()) as Sample[];
    }),
    view: (where: Where, signal) => post<View>('view', where, signal),
    run: (work, onEvent) => new ServerWork(work, onEvent),
    openProof: upload,
    outline: (proof) => post('outline', { proof }),
    node: (place, from = 0, most = 100) => post('node', { ...place, from, most }),
    find: (place, position) => post('find', { ...place, position }),
    export: async (place, format, depth) =>
      (await post<{ text: string }>('export', { ...place, format, depth })).text,
    download: async (proof) => {
      const path = `api/proofs/${encodeURIComponent(proof)}`;
      return (await answered(() => fetch(path, { headers: headers() }))).blob();
    },
  };
}
