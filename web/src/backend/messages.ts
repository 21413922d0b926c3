// What page and worker tell each other on the static site.

import type { Failure, Work, WorkEvent } from '../api';

/** What a worker is for: short requests and walks through proofs, or long work. */
export type Role = 'answers' | 'work';

/** The module is compiled once and handed on. */
export interface Started {
  module: WebAssembly.Module;
}

export type ToWorker =
  | { id: number; request: 'start'; role: Role; module: WebAssembly.Module | null }
  | { id: number; request: 'work'; work: Work }
  | { id: number; request: 'open-proof'; file: Blob }
  | { id: number; request: string; body: unknown };

export type FromWorker =
  | { id: number; answer: unknown }
  /** Where it is `broken`, the worker can't be asked anything any more. */
  | { id: number; failure: Failure; broken?: boolean }
  /** A proof that was made comes with its text. After the last event follows none of this number. */
  | { id: number; event: WorkEvent; file?: Blob; last?: { memory: number } };

/** Whether this is one of the requests that carry more than a body. */
export function isStart(message: ToWorker): message is Extract<ToWorker, { request: 'start'; role: Role }> {
  return message.request === 'start';
}

export function isWork(message: ToWorker): message is Extract<ToWorker, { work: Work }> {
  return message.request === 'work';
}

export function isOpening(message: ToWorker): message is Extract<ToWorker, { file: Blob }> {
  return message.request === 'open-proof';
}
