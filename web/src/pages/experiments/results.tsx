// The table of a comparison, sortable, with what did not fit and what contradicts.

import { useState } from 'preact/hooks';
import type { Comparison } from '../../api';
import { bytes, seconds, whole } from '../../lib/format';
import { save } from '../../lib/save';
import { Bars } from './bars';
import { csv, medianOf, searchOf, sorted, type Column, type CompareRow } from './table';

const COLUMNS: { column: Column; name: string; number: boolean }[] = [
  { column: 'game', name: 'Game', number: false },
  { column: 'search', name: 'Search', number: false },
  { column: 'value', name: 'Value', number: false },
  { column: 'solved', name: 'Solved', number: true },
  { column: 'nodes', name: 'Nodes', number: true },
  { column: 'seconds', name: 'Time', number: true },
  { column: 'peak_bytes', name: 'Memory', number: true },
];

export function Results({ comparison }: { comparison: Comparison }) {
  const [plot, setPlot] = useState<'nodes' | 'seconds'>('nodes');
  const { rows, misfits, contradictions = [] } = comparison;
  return (
    <section class="panel results" aria-label="Results">
      {contradictions.length > 0 && (
        <div class="failure" role="alert" data-testid="contradictions">
          <p class="failure-message">Answers that can’t both be true: a defect.</p>
          <ul>{contradictions.map((text) => <li key={text}>{text}</li>)}</ul>
        </div>
      )}
      {comparison.interrupted && <p class="verdict">It was stopped before all searches were made.</p>}
      <div class="toolbar">
        <button
          type="button" disabled={comparison.runs.length === 0} data-testid="compare-csv"
          onClick={() => save('runs.csv', csv(comparison.runs), 'text/csv;charset=utf-8')}
        >
          Every run as CSV
        </button>
        <label class="inline">
          Plot{' '}
          <select
            value={plot} data-testid="compare-plot-of"
            onChange={(event) => setPlot(event.currentTarget.value === 'seconds' ? 'seconds' : 'nodes')}
          >
            <option value="nodes">nodes</option>
            <option value="seconds">seconds</option>
          </select>
        </label>
      </div>
      <CompareTable rows={rows} />
      {misfits.length > 0 && (
        <details data-testid="misfits" open={misfits.length <= 6}>
          <summary>{misfits.length} {misfits.length === 1 ? 'search was' : 'searches were'} not made</summary>
          <dl class="facts">{misfits.flatMap(({ search, why }) => [<dt key={`${search}?`}>{search}</dt>, <dd key={search}>{why}</dd>])}</dl>
        </details>
      )}
      {rows.length > 0 && <Bars rows={rows} column={plot} />}
    </section>
  );
}

const SORT_MARKS = { none: '', ascending: ' ▲', descending: ' ▼' };

export function CompareTable({ rows }: { rows: CompareRow[] }) {
  const [order, setOrder] = useState<{ column: Column; down: boolean } | null>(null);
  const shown = order ? sorted(rows, order.column, order.down) : rows;
  const count = (key: (row: CompareRow) => string) => new Set(rows.map(key)).size;
  const manyPositions = count((row) => `${row.game} ${row.position}`) > count((row) => row.game);
  const sortBy = (column: Column) => setOrder({ column, down: order?.column === column && !order.down });
  const sortOf = (column: Column) => (order?.column !== column ? 'none' : order.down ? 'descending' : 'ascending');
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="The table">
      <table class="compare" data-testid="compare-table">
        <thead>
          <tr>
            {COLUMNS.map(({ column, name, number }) => (
              <th key={column} scope="col" class={number ? 'number' : ''} aria-sort={sortOf(column)}>
                <button type="button" class="sort" onClick={() => sortBy(column)}>
                  {name}<span class="sort-mark" aria-hidden="true">{SORT_MARKS[sortOf(column)]}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.game} ${row.position} ${searchOf(row)}`}>
              <th scope="row">{row.game}{manyPositions && <><br /><code>{row.position}</code></>}</th>
              <td>{searchOf(row)}</td>
              <td>{row.value ?? boundsText(row)}</td>
              <td class="number"><span aria-hidden="true">{row.solved === row.runs ? '✓ ' : '✗ '}</span>{row.solved} of {row.runs}</td>
              <td class="number">{medianText(row, 'nodes', whole)}</td>
              <td class="number">{medianText(row, 'seconds', seconds)}</td>
              <td class="number">{medianText(row, 'peak_bytes', bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function boundsText(row: CompareRow): string {
  const { bounds } = row;
  return Array.isArray(bounds) && bounds.length === 2 ? `${String(bounds[0])} … ${String(bounds[1])}` : '?';
}

function medianText(row: CompareRow, column: string, text: (n: number) => string): string {
  const median = medianOf(row, column);
  return median === null ? '' : `${median.at_least ? '≥ ' : ''}${text(median.value)}`;
}
