// Whether the server can be reached. When a request is lost, it asks again and again, less and less often,
// until an answer comes.

type Listener = (connected: boolean) => void;

export interface Clock {
  later(ms: number, then: () => void): void;
}

const FIRST_MS = 500;
const MOST_MS = 8000;

export class Connection {
  private connected = true;
  private trying = false;
  private listeners = new Set<Listener>();

  constructor(
    private ask: () => Promise<boolean>,
    private clock: Clock = { later: (ms, then) => void setTimeout(then, ms) },
  ) {}

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    listener(this.connected);
    return () => this.listeners.delete(listener);
  }

  /** A request got an answer, whatever it says. */
  reached(): void {
    this.tell(true);
  }

  /** A request got no answer. */
  lost(): void {
    this.tell(false);
    if (this.trying) return;
    this.trying = true;
    this.again(FIRST_MS);
  }

  /** Resolves when the server answers again. */
  back(): Promise<void> {
    if (this.connected) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.listen((connected) => {
        if (!connected) return;
        stop();
        resolve();
      });
    });
  }

  private again(wait: number): void {
    this.clock.later(wait, () => {
      void this.ask().then((answered) => {
        if (answered || this.connected) {
          this.trying = false;
          this.tell(true);
        } else {
          this.again(Math.min(wait * 1.6, MOST_MS));
        }
      });
    });
  }

  private tell(connected: boolean): void {
    if (connected === this.connected) return;
    this.connected = connected;
    this.listeners.forEach((listener) => listener(connected));
  }
}
