// Keys, colours, and what the words mean.

import { backend } from '../backend';
import { bytes } from '../lib/format';
import { useAsked } from '../lib/hooks';
import { ValueChip } from '../parts/choices';
import type { PageProps } from './index';

const KEYS: [string[], string][] = [
  [['←', '→'], 'one move back, one move on'],
  [['Backspace'], 'take a move back'],
  [['Home', 'End'], 'to the start, to the end of the line'],
  [['f'], 'turn the board around'],
  [['v'], 'hide and show values'],
  [['l'], 'show the best line on the board'],
  [['Space'], 'ask, or stop what is searched'],
  [['?'], 'this page'],
];

const BOARD_KEYS: [string[], string][] = [
  [['←', '→', '↑', '↓'], 'to the nearest cell in that direction'],
  [['Enter', 'Space'], 'play there, or select the cell'],
  [['Esc'], 'unselect'],
];

export function HelpPage(_props: PageProps) {
  const words = useAsked(() => backend.words(), []).value;
  return (
    <div class="text-page">
      <h1>Help</h1>
      <h2>Keys on the board page</h2>
      <KeyTable keys={KEYS} />
      <h2>Keys when the board has the focus</h2>
      <p>Tab leads to the board. A screen reader hears each cell, what stands on it, and what a move there is worth.</p>
      <KeyTable keys={BOARD_KEYS} />
      <h2>What colours and shapes mean</h2>
      <p>Values are those of who is to move. The shape says as much as the colour.</p>
      <ul class="legend-list">
        <li><ValueChip value={{ label: 'win', quality: 'good', best: true }} /> wins: blue, with a filled circle. Moves that no other is better than have a dark edge.</li>
        <li><ValueChip value={{ label: 'draw', quality: 'even', best: false }} /> nobody wins: grey, with a square.</li>
        <li><ValueChip value={{ label: 'loss', quality: 'bad', best: false }} /> loses: orange and hollow, with a triangle.</li>
        <li><ValueChip value={{ label: '12/40', quality: 'neutral', best: false }} /> not known yet: what the search thinks so far; of chance how often it wins, of joint moves how often it is played.</li>
        <li><ValueChip value={{ label: 'win 7', quality: 'good', best: true }} /> a number behind the word: so many moves to the end.</li>
      </ul>
      <h2>Moves</h2>
      <p>
        One click plays where one move fits. Else the first click selects and the cells where one may click next are
        marked. Pieces can be dragged. Where several moves still fit, they are listed. Where both players move at once, each chooses in turn.
      </p>
      <h2>Links</h2>
      <p>The address holds the game, the position, the moves and the question: whoever opens it sees the same. Rules of your own that are longer than 6 kB stay in this browser.</p>
      {words && (
        <>
          <h2>Limits</h2>
          <p>
            A search may take {words.limits.seconds} seconds and {bytes(words.limits.bytes)}; {words.limits.jobs} at a time.
            A certificate may have {bytes(words.limits.certificate)}. This is version {words.version}.
          </p>
        </>
      )}
    </div>
  );
}

function KeyTable({ keys }: { keys: [string[], string][] }) {
  return (
    <dl class="keys">
      {keys.map(([names, about]) => (
        <div key={about}>
          <dt>{names.map((name) => <kbd key={name}>{name}</kbd>)}</dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  );
}
