// A plot over numbers by uPlot.

import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { short } from '../lib/format';

export interface PlotSeries {
  label: string;
  /** The n-th of the palette, from 0; by the place in the list where left out. */
  colour?: number;
  values: (number | null)[];
}

export interface PlotProps {
  label: string;
  x: number[];
  xLabel?: string;
  series: PlotSeries[];
  /** A logarithmic scale; what is not positive is left out. */
  log?: boolean;
  height?: number;
  testid?: string;
}

/** How lines are dashed, so that colours are not all that tells them apart. */
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 4], [1, 5]];

export function Plot({ label, x, xLabel, series, log, height = 180, testid }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const theme = useTheme();
  const shape = `${series.map((s) => `${s.label} ${s.colour}`).join()} ${log} ${theme}`;
  const data = (): uPlot.AlignedData => [
    x,
    ...series.map((s) => (log ? s.values.map((v) => (v !== null && v > 0 ? v : null)) : s.values)),
  ] as uPlot.AlignedData;
  const empty = x.length < 2;

  useEffect(() => {
    const element = box.current;
    if (!element || empty) return;
    const made = new uPlot(options(element, series, { log: log ?? false, height, xLabel }), data(), element);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, height, empty]);
  useEffect(() => plot.current?.setData(data()), [x, series]);

  const last = series.map((s) => `${s.label} ${short(s.values.findLast((v) => v !== null) ?? 0)}`).join(', ');
  return (
    <figure class="plot" data-testid={testid}>
      <div
        class="plot-box"
        ref={box}
        role="img"
        aria-label={empty ? `${label}: nothing yet` : `${label}: now ${last}`}
        style={{ height: `${height}px` }}
      />
      <figcaption class="legend">
        {series.map((s, i) => (
          <span key={s.label}>
            <svg viewBox="0 0 24 6" class={`legend-line series-${colourOf(s, i)}`} aria-hidden="true">
              <line x1="0" y1="3" x2="24" y2="3" stroke-dasharray={DASHES[colourOf(s, i)]?.join(' ')} />
            </svg>
            {s.label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function colourOf(series: PlotSeries, place: number): number {
  return (series.colour ?? place) % DASHES.length;
}

function options(
  element: HTMLElement,
  series: PlotSeries[],
  { log, height, xLabel }: { log: boolean; height: number; xLabel: string | undefined },
): uPlot.Options {
  const colour = (name: string) => colourNow(element, name);
  const [ink, grid, font] = [colour('--quiet'), colour('--line'), '11px system-ui, sans-serif'];
  const axis = { stroke: ink, font, labelFont: font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width: Math.max(element.clientWidth, 50),
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: log ? { distr: 3, log: 10 } : {} },
    axes: [
      { ...axis, size: xLabel ? 40 : 28, labelSize: 14, ...(xLabel ? { label: xLabel } : {}) },
      {
        ...axis,
        size: 52,
        values: (_plot: uPlot, splits: (number | null)[]) => splits.map((v) => (v === null ? '' : short(v))),
      },
    ],
    series: [
      {},
      ...series.map((s, i) => ({
        label: s.label,
        stroke: colour(`--series-${colourOf(s, i)}`),
        width: 2,
        dash: DASHES[colourOf(s, i)] ?? [],
        points: { show: false },
        spanGaps: true,
      })),
    ],
  };
}

/** A colour of the style sheet as it is now: a canvas knows no variables. */
function colourNow(element: HTMLElement, name: string): string {
  const before = element.style.color;
  element.style.color = `var(${name})`;
  const now = getComputedStyle(element).color;
  element.style.color = before;
  return now;
}

/** Changes when the colours do: a canvas does not follow the style sheet by itself. */
export function useTheme(): string {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const read = () => `${document.documentElement.dataset.theme} ${dark.matches}`;
  const [theme, setTheme] = useState(read);
  useEffect(() => {
    const changed = () => setTheme(read());
    addEventListener('theme', changed);
    dark.addEventListener('change', changed);
    return () => {
      removeEventListener('theme', changed);
      dark.removeEventListener('change', changed);
    };
  }, []);
  return theme;
}
