// What searches took, as bars on a logarithmic scale. The table beside it holds the same numbers for those who can't
// see them.

import { seconds, short } from '../../lib/format';
import { decades, logShare, medianOf, searchOf, type CompareRow } from './table';

const ROW = 22;
const LEFT = 20;
const WIDE = 640;
const RIGHT = 90;

interface BarsProps {
  rows: CompareRow[];
  column: 'nodes' | 'seconds';
}

export function Bars({ rows, column }: BarsProps) {
  const games = [...new Set(rows.map((row) => row.game))];
  const searches = [...new Set(rows.map(searchOf))];
  const values = rows.map((row) => medianOf(row, column)?.value ?? 0);
  const [low, high] = decades(values);
  const x = (value: number) => LEFT + logShare(value, low, high) * (WIDE - LEFT - RIGHT);
  const ticks: number[] = [];
  for (let tick = low; tick <= high * 1.0001; tick *= 10) ticks.push(tick);
  let y = 0;
  const drawn = games.map((game) => {
    const top = y;
    const own = rows.filter((row) => row.game === game);
    y += ROW * (own.length * 2 + 1) + 6;
    return { game, top, own };
  });
  const text = column === 'seconds' ? seconds : short;
  return (
    <figure class="bars" data-testid="compare-plot">
      <figcaption>{column === 'nodes' ? 'Nodes' : 'Seconds'}, median, logarithmic; ≥ where searches were stopped</figcaption>
      <div class="bars-scroll" tabIndex={0} role="img" aria-label={`${column} of each search; the table has the numbers`}>
        <svg viewBox={`0 0 ${WIDE} ${y + ROW}`} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="bars-grid" x1={x(tick)} x2={x(tick)} y1={ROW} y2={y} />
              <text class="bars-tick" x={x(tick)} y={y + 14}>{text(tick)}</text>
            </g>
          ))}
          {drawn.map(({ game, top, own }) => (
            <g key={game}>
              <text class="bars-game" x={0} y={top + 16}>{game}</text>
              {own.map((row, i) => {
                const at = top + ROW * (i * 2 + 1);
                const median = medianOf(row, column);
                const end = x(median?.value ?? 0);
                return (
                  <g key={i}>
                    <text class="bars-search" x={LEFT} y={at + 15}>
                      {row.position === own[0]?.position ? searchOf(row) : `${searchOf(row)}, ${row.position}`}
                    </text>
                    <rect
                      class={`bars-bar series-${searches.indexOf(searchOf(row)) % 6} ${row.solved < row.runs ? 'is-stopped' : ''}`}
                      x={LEFT} y={at + 20} width={Math.max(2, end - LEFT)} height={ROW - 8} rx={3}
                    />
                    <text class="bars-value" x={end + 6} y={at + 32}>{median && `${median.at_least ? '≥ ' : ''}${text(median.value)}`}</text>
                  </g>
                );
              })}
            </g>
          ))}
        </svg>
      </div>
    </figure>
  );
}
