// All games, each with a picture; a click opens its board.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { GameEntry, Sample, Scene } from '../api';
import { backend } from '../backend';
import { viewOf } from '../lib/cache';
import { useAsked } from '../lib/hooks';
import { MiniBoard } from '../parts/board';
import { FailureBox } from '../parts/failure';
import { filesParam, href } from '../route';
import type { PageProps } from './index';

export function GalleryPage(_props: PageProps) {
  const { value: games, failure } = useAsked(() => backend.games(), []);
  const [wanted, setWanted] = useState('');
  const end = useRef<HTMLHeadingElement>(null);
  const near = useInSight(end, '400px', games !== null) || wanted !== '';
  const samples = useAsked(() => (near ? backend.samples() : Promise.resolve(null)), [near]).value;
  const [text, setText] = useState('');
  const word = wanted.trim().toLowerCase();
  const found = (...texts: string[]) => texts.some((t) => t.toLowerCase().includes(word));
  const shownGames = useMemo(
    () => knownFirst(games ?? []).filter((game) => game.file === null && found(game.name, game.rules)),
    [games, word],
  );
  const shownSamples = useMemo(
    () => samples?.filter((sample) => found(sample.path, sample.title, sample.game)) ?? [],
    [samples, word],
  );
  return (
    <div class="gallery">
      <div class="hero">
        <h1>Who wins this game, and how do you know?</h1>
        <p>
          Open a game, play, and see what every move is worth. Every answer comes with a proof that a small
          program checks, and that you can walk through.
        </p>
        <div class="gallery-tools">
          <label class="search-field">
            <span class="visually-hidden">Search games</span>
            <input type="search" placeholder="Search games" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} data-testid="gallery-search" />
          </label>
          <form class="open-game" onSubmit={(event) => { event.preventDefault(); if (text.trim()) location.hash = href('board', { game: text.trim() }); }}>
            <label>
              <span class="visually-hidden">A game with its options</span>
              <input placeholder="connect-four:5x4" value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} autocomplete="off" data-testid="gallery-game" />
            </label>
            <button type="submit">Open</button>
          </form>
        </div>
      </div>
      <FailureBox failure={failure} />
      <h2>Games <span class="quiet" aria-live="polite">{games ? shownGames.length : ''}</span></h2>
      <ul class="cards" data-testid="games">
        {games === null && failure === null && Array.from({ length: 12 }, (_, i) => <li key={i} class="card card-wait" />)}
        {shownGames.map((game) => <GameCard key={game.name} game={game} />)}
      </ul>
      <h2 ref={end}>Rulesheets, graphs and matrices <span class="quiet">{samples ? shownSamples.length : ''}</span></h2>
      <p class="quiet">Games that are written down as text. Write your own: <a href={href('rulesheet')}>rulesheets</a>, <a href={href('graph')}>graphs</a>.</p>
      <ul class="cards" data-testid="samples">
        {shownSamples.map((sample) => <SampleCard key={sample.path} sample={sample} />)}
      </ul>
    </div>
  );
}

/** Games that most people know come first; the others follow in their own order. */
const WELL_KNOWN = ['connect-four', 'tic-tac-toe', 'chess', 'hex', 'othello', 'nim'];

function knownFirst(games: GameEntry[]): GameEntry[] {
  const rank = ({ name }: GameEntry) => (WELL_KNOWN.includes(name) ? WELL_KNOWN.indexOf(name) : WELL_KNOWN.length);
  return [...games].sort((a, b) => rank(a) - rank(b));
}

function GameCard({ game }: { game: GameEntry }) {
  const first = game.examples[0] ?? game.name;
  return (
    <li class="card" data-testid="game-card" data-game={game.name}>
      <a href={href('board', { game: first })}>
        <LazyBoard game={first} />
        <span class="card-name">{game.name}</span>
        {game.moves === 'joint' && <span class="tag">at once</span>}
      </a>
      <p class="card-about">{game.rules}</p>
      {game.examples.length > 1 && (
        <p class="card-more">
          {game.examples.slice(0, 3).map((example) => <a key={example} href={href('board', { game: example })}>{example}</a>)}
        </p>
      )}
    </li>
  );
}

function SampleCard({ sample }: { sample: Sample }) {
  const game = `${sample.game}:${sample.path}`;
  const files = { [sample.path]: sample.text };
  return (
    <li class="card" data-testid="sample-card">
      <a href={href('board', { game, files: filesParam(files) })}>
        <LazyBoard game={game} files={files} />
        <span class="card-name">{sample.title}</span>
      </a>
      <p class="card-about"><code>{sample.path}</code></p>
    </li>
  );
}

/** Whether an element has come into sight, or this near to it; it is watched when `ready`. */
function useInSight(box: { current: Element | null }, margin: string, ready = true): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element || !ready) return;
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      setSeen(true);
    }, { rootMargin: margin });
    watch.observe(element);
    return () => watch.disconnect();
  }, [ready]);
  return seen;
}

/** The start of a game, asked for when it comes into sight. */
function LazyBoard({ game, files }: { game: string; files?: Record<string, string> }) {
  const box = useRef<HTMLDivElement>(null);
  const [scene, setScene] = useState<Scene | null>(null);
  const seen = useInSight(box, '60px');
  useEffect(() => {
    if (!seen) return;
    let current = true;
    viewOf({ game, position: 'start', ...(files ? { files } : {}) }).then(
      (view) => current && setScene(view.scene),
      // A card without a picture is still a way to the game, which tells what is wrong.
      () => {},
    );
    return () => {
      current = false;
    };
  }, [game, seen]);
  return <div class="card-board" ref={box}>{scene && <MiniBoard scene={scene} />}</div>;
}
