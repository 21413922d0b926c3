// One worker of the static site, as the page sees it: requests with answers, and work with events.

import type { Failure, Work, WorkEvent } from '../api';
import { ApiError } from '../api';
import type { FromWorker, Role, Started } from './messages';

interface Waiting {
  answered(answer: unknown): void;
  failed(failure: Failure): void;
  event(event: WorkEvent, file: Blob | null, last: { memory: number } | null): void;
}

const NOTHING = () => {};

const UNLOADED: Failure = {
  kind: 'lost',
  message: 'The solver can’t be loaded.',
  help: 'Is the browser one of the last years, and is the whole folder of the site there?',
  place: null,
};

export class Port {
  /** Resolves when it can be asked. */
  readonly started: Promise<Started>;
  /** Whether it broke or was ended. */
  dead = false;
  private waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(private worker: Worker, role: Role, module: WebAssembly.Module | null) {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    worker.onerror = () => this.broke(UNLOADED);
    this.started = this.asked<Started>({ request: 'start', role, module });
    // Whoever asks something hears of it.
    this.started.catch(NOTHING);
  }

  /** Asks, once it is started. */
  async ask<T>(message: { request: string; body?: unknown; file?: Blob }): Promise<T> {
    await this.started;
    return this.asked<T>(message);
  }

  /** Does work. Events come until the last one; a failure of the worker comes as one, too. */
  work(work: Work, event: Waiting['event']): void {
    const failed = (failure: Failure) => event({ event: 'failed', failure }, null, { memory: 0 });
    this.send({ request: 'work', work }, { answered: NOTHING, failed, event });
  }

  /** Ends the worker, whatever it does. Nothing that was asked is answered. */
  end(): void {
    this.dead = true;
    this.waiting.clear();
    this.worker.terminate();
  }

  private asked<T>(message: object): Promise<T> {
    return new Promise((resolve, reject) => {
      this.send(message, {
        answered: (answer) => resolve(answer as T),
        failed: (failure) => reject(new ApiError(failure)),
        event: NOTHING,
      });
    });
  }

  private send(message: object, waiting: Waiting): void {
    if (this.dead) {
      waiting.failed(UNLOADED);
      return;
    }
    const id = ++this.last;
    this.waiting.set(id, waiting);
    this.worker.postMessage({ id, ...message });
  }

  private hear(message: FromWorker): void {
    const waiting = this.waiting.get(message.id);
    if ('event' in message) {
      if (message.last) this.waiting.delete(message.id);
      waiting?.event(message.event, message.file ?? null, message.last ?? null);
    } else if ('failure' in message) {
      if (message.broken) {
        this.broke(message.failure);
        return;
      }
      this.waiting.delete(message.id);
      waiting?.failed(message.failure);
    } else {
      this.waiting.delete(message.id);
      waiting?.answered(message.answer);
    }
  }

  /** All that was asked fails, and the next one to ask starts another worker. */
  private broke(failure: Failure): void {
    const all = [...this.waiting.values()];
    this.end();
    all.forEach((waiting) => waiting.failed(failure));
  }
}
