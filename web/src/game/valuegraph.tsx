// The value over the game so far.

import { useEffect, useState } from 'preact/hooks';
import type { View } from '../api';
import { viewOf, whereKey } from '../lib/cache';
import { overValue, placed, type Scale } from '../lib/scale';
import { endOf, pathTo } from '../lib/tree';
import { useWork, isBusy } from '../parts/search';
import { afterKey, type Answers } from './useanswers';
import type { GameOnPage } from './usegame';

interface GraphPoint {
  node: number;
  move: string;
  value: string | null;
}

/** A line this long is asked for; longer games show their beginning. */
const MOST_PLIES = 300;

/** The positions of the line that one is in, from its base, as far as they are known. */
function useLine(game: GameOnPage): (View | null)[] {
  const { tree, where } = game;
  const nodes = pathTo(tree, endOf(tree, tree.current)).slice(0, MOST_PLIES);
  const moves = nodes.map((node) => node.move);
  const [views, setViews] = useState<{ key: string; list: (View | null)[] }>({ key: '', list: [] });
  const key = whereKey({ ...where, moves });
  useEffect(() => {
    if (!game.settled) return;
    let current = true;
    const ask = async () => {
      const list: (View | null)[] = [];
      for (let ply = 0; ply <= moves.length && current; ply++) {
        list.push(await viewOf({ ...where, moves: moves.slice(0, ply) }).catch(() => null));
      }
      if (current) setViews({ key, list });
    };
    void ask();
    return () => {
      current = false;
    };
  }, [key, game.settled]);
  // Views of another line say nothing about this one.
  return views.key === key ? views.list : [];
}

export function ValueGraph({ game, answers }: { game: GameOnPage; answers: Answers }) {
  const views = useLine(game);
  const work = useWork();
  const { tree, view } = game;
  const nodes = pathTo(tree, endOf(tree, tree.current)).slice(0, MOST_PLIES);
  const points: GraphPoint[] = [{ node: 0, move: 'start' }, ...nodes.map((n) => ({ node: n.id, move: n.san ?? n.move }))]
    .map((point, ply) => ({ ...point, value: knownValue(answers, views, ply, nodes[ply - 1]?.move) }));
  const missing = views.flatMap((v, ply) => (v && points[ply]?.value === null ? [v.position] : []));
  const fill = () => {
    const first = views.find((v) => v !== null);
    if (!first || missing.length === 0) return;
    const files = game.where.files ? { files: game.where.files } : {};
    work.start({ work: 'values', game: first.game, positions: [...new Set(missing)], ...files }, (event) => {
      if (event.event === 'valued' && event.value !== null) {
        answers.learn(event.position, { value: event.value, winner: event.winner });
      }
    });
  };
  const at = points.findIndex((point) => point.node === tree.current);
  const scale = placed(points.map((point) => point.value), view?.outcomes ?? [], view?.shown.numbers ?? false);
  const busy = isBusy(work.state);
  return (
    <section class="panel value-panel" aria-label="Value over the game">
      <div class="panel-head">
        <h2>Value for {view?.shown.players[0] ?? 'the first player'}</h2>
        <button type="button" onClick={busy ? work.stop : fill} disabled={!busy && missing.length === 0} data-testid="fill-values">
          {busy ? 'Stop' : 'Fill in'}
        </button>
      </div>
      <Graph points={points} scale={scale} at={at} onGo={game.goTo} />
    </section>
  );
}

function knownValue(answers: Answers, views: (View | null)[], ply: number, move: string | undefined): string | null {
  const view = views[ply];
  if (view?.shown.over) return overValue(view);
  const before = views[ply - 1];
  const fact = (view && answers.known.get(view.position))
    ?? (before && move !== undefined ? answers.known.get(afterKey(before.position, move)) : undefined);
  return fact?.value ?? null;
}

const [WIDTH, HEIGHT, LEFT, PAD] = [320, 96, 44, 10];

function Graph({ points, scale, at, onGo }: { points: GraphPoint[]; scale: Scale; at: number; onGo(node: number): void }) {
  const step = (WIDTH - LEFT - PAD) / Math.max(points.length - 1, 1);
  const x = (ply: number) => LEFT + ply * step;
  const y = (share: number) => HEIGHT - PAD - share * (HEIGHT - 2 * PAD);
  const known = points.flatMap((point, ply) => {
    const share = scale.shareOf(point.value);
    return share === null ? [] : [{ ...point, ply, share }];
  });
  const line = known.map(({ ply, share }) => `${x(ply)},${y(share)}`).join(' ');
  const words = known.map(({ move, value }) => `${move}: ${value}`).join(', ');
  return (
    <svg
      class="value-graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={words ? `Value over the game: ${words}` : 'Value over the game: nothing known yet'}
      data-testid="value-graph"
      data-known={known.length}
    >
      {scale.ticks.map(({ share, label }) => (
        <g key={label}>
          <line class="grid" x1={LEFT} x2={WIDTH - PAD} y1={y(share)} y2={y(share)} />
          <text class="tick" x={LEFT - 6} y={y(share) + 3.5}>{label}</text>
        </g>
      ))}
      {at >= 0 && <line class="now" x1={x(at)} x2={x(at)} y1={PAD - 4} y2={HEIGHT - PAD + 4} />}
      <polyline class="value-line" points={line} />
      {known.map(({ node, ply, share, move, value }) => (
        <circle key={node} class={ply === at ? 'value-dot current' : 'value-dot'} cx={x(ply)} cy={y(share)} r={ply === at ? 4.5 : 3} onClick={() => onGo(node)}>
          <title>{`${move}: ${value}`}</title>
        </circle>
      ))}
    </svg>
  );
}
