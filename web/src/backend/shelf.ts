// Proofs of the static site. The page keeps their files, so that a worker that was ended takes none along:
// the next one opens what it is asked about.

import type { Failure, ProofHandle } from '../api';
import { ApiError } from '../api';
import type { Port } from './port';

/** Files that a visitor picked take no memory; texts that were made here may. */
const MOST_PROOFS = 200;
const MOST_BYTES = 8e9;

const GONE: Failure = {
  kind: 'gone',
  message: 'This proof is not kept any more.',
  help: 'Proofs are kept as long as the page is open. Ask the question again, or drop the file once more.',
  place: null,
};

interface Kept {
  file: Blob;
  /** What workers call it. One that was ended is forgotten with its names. */
  names: WeakMap<Port, Promise<string>>;
}

export class Shelf {
  private proofs = new Map<string, Kept>();
  private next = 1;

  /** Keeps a proof. The oldest ones make room. */
  keep(file: Blob): ProofHandle {
    const proof = `p${this.next++}`;
    this.proofs.set(proof, { file, names: new WeakMap() });
    for (const oldest of this.proofs.keys()) {
      if (oldest === proof || (this.proofs.size <= MOST_PROOFS && this.bytes() <= MOST_BYTES)) break;
      this.proofs.delete(oldest);
    }
    return { proof, bytes: file.size };
  }

  file(proof: string): Blob {
    return this.kept(proof).file;
  }

  /** What this worker calls the proof. It opens it if it does not know it. */
  nameIn(port: Port, proof: string): Promise<string> {
    const { file, names } = this.kept(proof);
    let name = names.get(port);
    if (name === undefined) {
      name = port.ask<ProofHandle>({ request: 'open-proof', file }).then((handle) => handle.proof);
      names.set(port, name);
      name.catch(() => names.delete(port));
    }
    return name;
  }

  /** The worker has made room and does not know the proof any more. */
  forget(port: Port, proof: string): void {
    this.proofs.get(proof)?.names.delete(port);
  }

  private kept(proof: string): Kept {
    const kept = this.proofs.get(proof);
    if (kept === undefined) throw new ApiError(GONE);
    return kept;
  }

  private bytes(): number {
    return [...this.proofs.values()].reduce((sum, { file }) => sum + file.size, 0);
  }
}
