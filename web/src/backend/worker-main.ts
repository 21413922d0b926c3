// The worker of the static site: it loads the WebAssembly and answers requests (crates/wasm). A worker
// does one thing at a time. Where it answers, it goes on with the indexes of proofs between requests.

import type { Failure, ProofHandle, Work, WorkEvent } from '../api';
import { LAST_EVENTS } from '../api';
import { isOpening, isStart, isWork } from './messages';
import type { FromWorker, Role, Started, ToWorker } from './messages';

/** What crates/wasm exports, as the script that wasm-bindgen writes tells it. */
interface Bindings {
  default(from: { module_or_path: WebAssembly.Module }): Promise<{ memory: WebAssembly.Memory }>;
  start(role: Role, onPanic: (message: string) => void): void;
  answer(name: string, body: string): string;
  work(work: string, onEvent: (event: string) => void): void;
  open_proof(file: Blob): string;
  index_more(proof: string, bytes: number): boolean;
  proof_part(proof: string, from: number): Uint8Array<ArrayBuffer>;
}

/** Bytes of a proof that are indexed between two requests: some hundredths of a second. */
const SLICE = 4 << 20;

let bindings: Bindings | null = null;
let memory: WebAssembly.Memory | null = null;
let role: Role = 'answers';
/** The message of a panic, which comes before the WebAssembly ends. */
let panic: string | null = null;

function tell(message: FromWorker): void {
  postMessage(message);
}

async function compiled(): Promise<WebAssembly.Module> {
  const address = new URL('foregone_wasm_bg.wasm', import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  // Some hosts do not call the file `application/wasm`: then it can't be compiled while it comes.
  const kind = response.headers.get('Content-Type') ?? '';
  return kind.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function start(as: Role, handed: WebAssembly.Module | null): Promise<Started> {
  const script: string = './foregone_wasm.js';
  const [module, loaded] = await Promise.all([handed ?? compiled(), import(script) as Promise<Bindings>]);
  memory = (await loaded.default({ module_or_path: module })).memory;
  role = as;
  loaded.start(role, (message) => (panic = message));
  bindings = loaded;
  return { module };
}

// ---------------------------------------------------------------- failures

function failure(kind: Failure['kind'], message: string, help: string | null = null): Failure {
  return { kind, message, help, place: null };
}

/** What an exception says. A failure of the desk is thrown as its JSON; all else ends the worker. */
function failureOf(error: unknown): { failure: Failure; broken: boolean } {
  if (typeof error === 'string') return { failure: JSON.parse(error) as Failure, broken: false };
  if (panic !== null) return { failure: failure('lost', `The solver broke: ${panic}`), broken: true };
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    const help = '`foregone serve` has all the memory of the machine.';
    return { failure: failure('limit', 'This takes more memory than a browser gives.', help), broken: true };
  }
  const why = error instanceof Error ? error.message : String(error);
  return { failure: failure('lost', `The solver can’t be loaded: ${why}`), broken: true };
}

// ---------------------------------------------------------------- indexes of proofs

const unindexed = new Set<string>();
const between = new MessageChannel();
between.port1.onmessage = () => goOn();

function index(proof: string): void {
  // A worker that works hands its proofs to the page and walks through none.
  if (role !== 'answers') return;
  if (unindexed.size === 0) between.port2.postMessage(null);
  unindexed.add(proof);
}

function goOn(): void {
  const [proof] = unindexed;
  if (proof === undefined || bindings === null) return;
  try {
    if (bindings.index_more(proof, SLICE)) unindexed.delete(proof);
  } catch (error) {
    // A damaged text has no index; who looks at it is told where it is damaged.
    unindexed.delete(proof);
    const found = failureOf(error);
    if (found.broken) tell({ id: 0, ...found });
  }
  if (unindexed.size > 0) between.port2.postMessage(null);
}

// ---------------------------------------------------------------- requests

/** The text of a proof that was made here. */
function textOf(from: Bindings, { proof, bytes }: ProofHandle): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  while (read < bytes) {
    const part = from.proof_part(proof, read);
    if (part.length === 0) break;
    parts.push(part);
    read += part.length;
  }
  return new Blob(parts, { type: 'text/plain' });
}

function work(from: Bindings, id: number, asked: Work): void {
  // The last event is told when the work has returned: its memory counts, and its proof is read out.
  let last: WorkEvent | null = null;
  from.work(JSON.stringify(asked), (text) => {
    const event = JSON.parse(text) as WorkEvent;
    if (LAST_EVENTS.includes(event.event)) last = event;
    else tell({ id, event });
  });
  const event = (last ?? { event: 'failed', failure: failure('lost', 'The work ended without an answer.') }) as WorkEvent;
  const made = event.event === 'solved' && event.proof ? { file: textOf(from, event.proof) } : {};
  tell({ id, event, ...made, last: { memory: memory?.buffer.byteLength ?? 0 } });
}

async function answer(message: ToWorker): Promise<unknown> {
  if (isStart(message)) return start(message.role, message.module);
  if (bindings === null) throw new Error('it was not started');
  if (isOpening(message)) {
    const handle = JSON.parse(bindings.open_proof(message.file)) as ProofHandle;
    index(handle.proof);
    return handle;
  }
  const { request, body } = message as { request: string; body: unknown };
  return JSON.parse(bindings.answer(request, JSON.stringify(body ?? {}))) as unknown;
}

onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  const { id } = data;
  try {
    if (isWork(data) && bindings !== null) work(bindings, id, data.work);
    else tell({ id, answer: await answer(data) });
  } catch (error) {
    tell({ id, ...failureOf(error) });
  }
};
