// Tools beside the tree: filters, the search for a position, and exports.

import { useState } from 'preact/hooks';
import { backend } from '../../backend';
import type { Failure, ProofPlace } from '../../api';
import { save } from '../../lib/save';
import { failureOf, FailureBox } from '../../parts/failure';
import type { Filter, Kind } from './store';
import { KINDS } from './words';

const FILTERED: Kind[] = ['over', 'known', 'same'];

interface FilterProps {
  filter: Filter;
  /** Whether claims have sizes at all. */
  sized: boolean;
  onFilter(filter: Filter): void;
}

export function FilterBar({ filter, sized, onFilter }: FilterProps) {
  const switchKind = (kind: Kind) => {
    const kinds = filter.kinds.includes(kind) ? filter.kinds.filter((each) => each !== kind) : [...filter.kinds, kind];
    onFilter({ ...filter, kinds });
  };
  return (
    <div class="proof-filter" role="group" aria-label="Filter the replies">
      <input
        type="search" placeholder="filter moves" aria-label="Filter moves" value={filter.text} data-testid="proof-filter"
        onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      {FILTERED.map((kind) => (
        <button key={kind} type="button" class="pill" aria-pressed={filter.kinds.includes(kind)} onClick={() => switchKind(kind)}>
          <span aria-hidden="true">{KINDS[kind].shape} </span>{KINDS[kind].word}
        </button>
      ))}
      {sized && (
        <label class="inline">
          at least
          <input
            type="number" min={0} step={1} class="short-number" value={filter.longer || ''}
            onInput={(event) => onFilter({ ...filter, longer: Math.max(0, Number(event.currentTarget.value) || 0) })}
          />
          claims
        </label>
      )}
    </div>
  );
}

interface ToolProps {
  place: ProofPlace;
  onGo(path: string[]): void;
}

export function FindBar({ place, onGo }: ToolProps) {
  const [position, setPosition] = useState('');
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const find = async (event: Event) => {
    event.preventDefault();
    if (position.trim() === '' || busy) return;
    setBusy(true);
    setFailure(null);
    setSaid('looking…');
    try {
      const found = await backend.find({ ...place, path: [] }, position.trim());
      setSaid(foundText(found.path, found.share));
      if (found.path) onGo(found.path);
    } catch (error) {
      setSaid('');
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  return (
    <form class="proof-find" onSubmit={(event) => void find(event)}>
      <input
        type="search" placeholder="find a position" aria-label="Find a position" value={position}
        data-testid="proof-find" onInput={(event) => setPosition(event.currentTarget.value)}
      />
      <button type="submit" disabled={busy || position.trim() === ''}>Find</button>
      <span class="quiet" role="status">{said}</span>
      <FailureBox failure={failure} text={position} />
    </form>
  );
}

function foundText(path: string[] | null, share: number): string {
  const looked = share >= 1 ? 'the whole proof' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} % of the proof`;
  if (path) return `found, ${path.length} ${path.length === 1 ? 'move' : 'moves'} deep`;
  return share >= 1 ? 'it is not in the proof' : `not found in ${looked}`;
}

const FORMATS = [
  { format: 'svg', name: 'Picture', ending: 'svg', type: 'image/svg+xml' },
  { format: 'dot', name: 'DOT', ending: 'dot', type: 'text/vnd.graphviz' },
  { format: 'text', name: 'Text', ending: 'txt', type: 'text/plain;charset=utf-8' },
] as const;

export function ExportBar({ place }: { place: ProofPlace }) {
  const [depth, setDepth] = useState(4);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const get = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  return (
    <div class="proof-export" role="group" aria-label="Save">
      <label class="inline">
        from here
        <input
          type="number" min={1} max={100} class="short-number" value={depth}
          onInput={(event) => setDepth(Math.min(100, Math.max(1, Number(event.currentTarget.value) || 1)))}
        />
        moves deep:
      </label>
      {FORMATS.map(({ format, name, ending, type }) => (
        <button
          key={format} type="button" disabled={busy} data-testid={`export-${format}`}
          onClick={() => void get(async () => save(`proof.${ending}`, await backend.export(place, format, depth), type))}
        >
          {name}
        </button>
      ))}
      <button
        type="button" disabled={busy} data-testid="proof-download"
        onClick={() => void get(async () => save('proof.txt', await backend.download(place.proof)))}
      >
        Whole proof
      </button>
      <FailureBox failure={failure} />
    </div>
  );
}
