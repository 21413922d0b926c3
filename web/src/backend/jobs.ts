// Long work on the static site: each piece has a worker of its own, others wait. A worker can't be told
// anything while it works, so it is stopped by ending it, and a search that is given more begins anew.

import type { Failure, Job, RunningWork, Work, WorkEvent } from '../api';
import { ApiError } from '../api';
import type { Port } from './port';
import type { Shelf } from './shelf';

/** The memory of WebAssembly never shrinks: a worker that has grown beyond this is replaced. */
const LARGE = 256e6;

const STOPPED: Failure = {
  kind: 'stopped',
  message: 'It was stopped.',
  help: 'Without a server, nothing but the last figures is left of work that is stopped. With less time to use, it ends with what was found.',
  place: null,
};

export interface Most {
  seconds: number;
  bytes: number;
}

/** Workers, and work that waits for one. */
export class Jobs {
  private idle: Port[] = [];
  private working = 0;
  private queue: Running[] = [];

  constructor(
    readonly places: number,
    readonly most: Most,
    readonly shelf: Shelf,
    private open: () => Promise<Port>,
  ) {}

  run(work: Work, onEvent: (event: WorkEvent) => void): RunningWork {
    const running = new Running(this, work, onEvent);
    this.add(running);
    return running;
  }

  add(running: Running): void {
    this.queue.push(running);
    this.next();
  }

  /** Takes work out of the queue; whether it was there. */
  remove(running: Running): boolean {
    const at = this.queue.indexOf(running);
    if (at < 0) return false;
    this.queue.splice(at, 1);
    this.tellWaiting();
    return true;
  }

  /** A worker is free again, or it is not worth keeping. */
  release(port: Port | null, memory: number): void {
    this.working--;
    if (port !== null && !port.dead && memory > LARGE) port.end();
    if (port !== null && !port.dead) this.idle.push(port);
    this.next();
  }

  async port(): Promise<Port> {
    const idle = this.idle.pop();
    return idle === undefined || idle.dead ? this.open() : idle;
  }

  private next(): void {
    while (this.working < this.places) {
      const running = this.queue.shift();
      if (running === undefined) break;
      this.working++;
      void running.begin();
    }
    this.tellWaiting();
  }

  private tellWaiting(): void {
    this.queue.forEach((waiting, at) => waiting.waits(at + this.working));
  }
}

class Running implements RunningWork {
  readonly done: Promise<void>;
  private finish: () => void = () => {};
  private state: 'waiting' | 'working' | 'paused' | 'over' = 'waiting';
  private port: Port | null = null;
  private ahead = -1;
  /** What ends it if it is not given more. */
  private held: WorkEvent | null = null;

  constructor(private jobs: Jobs, private work: Work, private onEvent: (event: WorkEvent) => void) {
    this.done = new Promise((resolve) => (this.finish = resolve));
    if (work.work === 'solve') this.work = { ...work, job: this.bounded(work.job) };
  }

  waits(ahead: number): void {
    if (ahead === this.ahead) return;
    this.ahead = ahead;
    this.onEvent({ event: 'queued', ahead });
  }

  async begin(): Promise<void> {
    this.state = 'working';
    this.ahead = -1;
    let port: Port | null = null;
    try {
      port = await this.jobs.port();
      await port.started;
      const work = await this.forPort(port);
      // It may have been stopped meanwhile.
      if (this.isOver()) {
        this.jobs.release(port, 0);
        return;
      }
      this.port = port;
      port.work(work, (event, file, last) => this.hear(event, file, last));
    } catch (error) {
      this.jobs.release(port, 0);
      if (this.isOver()) return;
      const broken: Failure = { kind: 'lost', message: String(error), help: null, place: null };
      this.end({ event: 'failed', failure: error instanceof ApiError ? error.failure : broken });
    }
  }

  stop(): void {
    if (this.state === 'over') return;
    if (this.state === 'paused' && this.held) {
      this.end(this.held);
      return;
    }
    if (this.state === 'waiting') this.jobs.remove(this);
    const port = this.port;
    this.end({ event: 'failed', failure: STOPPED });
    if (port !== null) {
      port.end();
      this.jobs.release(port, 0);
    }
  }

  more(seconds: number, bytes = 0): void {
    if (this.state !== 'paused' || this.work.work !== 'solve') return;
    const { budget } = this.work.job;
    const grown = {
      ...budget,
      time: Math.min((budget?.time ?? 0) + seconds, this.jobs.most.seconds),
      memory: Math.min((budget?.memory ?? 0) + bytes, this.jobs.most.bytes),
    };
    this.work = { ...this.work, job: { ...this.work.job, budget: grown } };
    this.held = null;
    this.state = 'waiting';
    this.onEvent({ event: 'resumed' });
    this.jobs.add(this);
  }

  /** What is left open is this place's share of the memory, and all of the time. */
  private bounded(job: Job): Job {
    const { most, places } = this.jobs;
    const budget = {
      ...job.budget,
      time: Math.min(job.budget?.time ?? most.seconds, most.seconds),
      memory: Math.min(job.budget?.memory ?? Math.floor(most.bytes / places), most.bytes),
    };
    return { ...job, budget };
  }

  /** The work in the words of this worker. */
  private async forPort(port: Port): Promise<Work> {
    const { work } = this;
    return work.work === 'verify' ? { ...work, proof: await this.jobs.shelf.nameIn(port, work.proof) } : work;
  }

  private hear(event: WorkEvent, file: Blob | null, last: { memory: number } | null): void {
    if (last === null) {
      this.onEvent(event);
      return;
    }
    const port = this.port;
    this.port = null;
    if (event.event === 'solved') event = { ...event, proof: file === null ? null : this.jobs.shelf.keep(file) };
    this.over(event);
    this.jobs.release(port, last.memory);
  }

  /** Ends, or waits to be given more where that would help. */
  private over(event: WorkEvent): void {
    const used = this.used(event);
    if (used === null || event.event !== 'solved') {
      this.end(event);
      return;
    }
    this.held = event;
    this.state = 'paused';
    const { seconds, peak_bytes: bytes = 0 } = event.answer;
    this.onEvent({ event: 'paused', seconds, bytes, why: used });
  }

  private used(event: WorkEvent): 'time' | 'memory' | null {
    if (event.event !== 'solved' || this.work.work !== 'solve') return null;
    const { budget } = this.work.job;
    const { stop } = event.answer;
    if (stop === 'time' && (budget?.time ?? 0) < this.jobs.most.seconds) return 'time';
    return stop === 'memory' && (budget?.memory ?? 0) < this.jobs.most.bytes ? 'memory' : null;
  }

  private isOver(): boolean {
    return this.state === 'over';
  }

  private end(event: WorkEvent): void {
    this.state = 'over';
    this.port = null;
    this.onEvent(event);
    this.finish();
  }
}
