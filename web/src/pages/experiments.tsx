// Searches beside one another: games × schemes × drivers, as a table and a plot.

import '../pages.css';
import type { Cross, Word } from '../api';
import { backend } from '../backend';
import { short } from '../lib/format';
import { useAsked } from '../lib/asked';
import { FailureBox } from '../parts/failure';
import { TextField } from '../parts/fields';
import { isBusy, useWork, type WorkHandle } from '../parts/search';
import { navigate } from '../route';
import type { PageProps } from './index';
import { Results } from './experiments/results';
import { searchOf, seedsOf, subjectsOf, wordsOf } from './experiments/table';
import { waitingText } from './proof/words';

interface Fields {
  games: string;
  schemes: string;
  drivers: string;
  seeds: string;
  repeat: string;
  seconds: string;
  question: string;
}

const FIRST: Fields = {
  games: 'tic-tac-toe\nconnect-four:4x4\ndomineering:5x5', schemes: 'pn, minmax, mcts', drivers: 'tree, df',
  seeds: '0', repeat: '1', seconds: '5', question: 'value',
};

export function ExperimentsPage({ params }: PageProps) {
  const fields = { ...FIRST, ...Object.fromEntries(Object.entries(params).filter(([key]) => key in FIRST)) } as Fields;
  const set = (more: Partial<Fields>) => navigate('experiments', { ...fields, ...more }, { replace: true });
  const work = useWork();
  const { answer: words } = useAsked(() => backend.words(), 'words');
  const seeds = seedsOf(fields.seeds);
  const subjects = subjectsOf(fields.games);
  const busy = isBusy(work.state);
  const ready = subjects.length > 0 && seeds !== null;
  const run = (event: Event) => {
    event.preventDefault();
    if (!ready || busy) return;
    work.start({ work: 'compare', cross: crossOf(fields, subjects, seeds) });
  };
  const { last } = work.state;
  return (
    <div class="page page-experiments">
      <h1>Experiments</h1>
      <form class="panel experiment-form" onSubmit={run} aria-label="What is compared">
        <label class="field">
          Games, one on each line; a position behind “ @ ”
          <textarea
            rows={4} class="mono" value={fields.games} spellcheck={false} data-testid="compare-games"
            onInput={(event) => set({ games: event.currentTarget.value })}
          />
        </label>
        <WordField
          name="Schemes" value={fields.schemes} words={words?.schemes ?? []} testid="compare-schemes"
          onValue={(schemes) => set({ schemes })}
        />
        <WordField
          name="Drivers" value={fields.drivers} words={words?.drivers ?? []} testid="compare-drivers"
          onValue={(drivers) => set({ drivers })}
        />
        <div class="toolbar">
          <TextField label="Question" class="short" value={fields.question} onValue={(question) => set({ question })} />
          <TextField label="Seeds" class="short" value={fields.seeds} invalid={seeds === null} onValue={(text) => set({ seeds: text })} />
          <TextField label="Repeat" class="short-number" range={[1, 99]} value={fields.repeat} onValue={(repeat) => set({ repeat })} />
          <TextField
            label="Seconds each" class="short-number" range={[1, words?.limits.seconds ?? 600]} value={fields.seconds}
            onValue={(seconds) => set({ seconds })}
          />
        </div>
        <div class="toolbar">
          {busy
            ? <button type="button" data-testid="compare-stop" onClick={() => work.stop()}>Stop</button>
            : <button type="submit" class="primary" disabled={!ready} data-testid="compare-run">Compare</button>}
          <Progress work={work} />
        </div>
      </form>
      {last?.event === 'failed' && <FailureBox failure={last.failure} />}
      {last?.event === 'compared'
        ? <Results comparison={last.comparison} />
        : <p class="quiet results-room">The table and the plot stand here when all searches are done.</p>}
    </div>
  );
}

function crossOf(fields: Fields, subjects: [string, string][], seeds: number[] | null): Cross {
  const seconds = Number(fields.seconds);
  return {
    subjects, schemes: wordsOf(fields.schemes), drivers: wordsOf(fields.drivers), seeds: seeds ?? [0],
    repeat: Math.max(1, Math.round(Number(fields.repeat)) || 1),
    job: {
      ...(fields.question.trim() === '' ? {} : { question: fields.question.trim() }),
      ...(seconds > 0 ? { budget: { time: seconds } } : {}),
    },
  };
}

interface WordFieldProps {
  name: string;
  value: string;
  words: Word[];
  testid: string;
  onValue(value: string): void;
}

/** Words with commas between them, typed or switched on and off. */
function WordField({ name, value, words, testid, onValue }: WordFieldProps) {
  const chosen = wordsOf(value);
  const toggle = (word: string) => {
    const next = chosen.includes(word) ? chosen.filter((each) => each !== word) : [...chosen, word];
    onValue(next.join(', '));
  };
  return (
    <div class="field">
      <TextField above label={name} class="mono" value={value} placeholder="the usual one of each game" testid={testid} onValue={onValue} />
      <div class="pills" role="group" aria-label={`${name} to choose from`}>
        {words.map(({ word, about }) => (
          <button key={word} type="button" class="pill" title={about} aria-pressed={chosen.includes(word)} onClick={() => toggle(word)}>
            {word}
          </button>
        ))}
      </div>
    </div>
  );
}

function Progress({ work: { state } }: { work: WorkHandle }) {
  const { status, working, started, progress } = state;
  if (status === 'queued') return <span class="quiet" role="status">{waitingText(state.ahead)}</span>;
  if (status !== 'running') return null;
  const share = working?.share ?? 0;
  const nodes = progress ? `, ${short(progress.nodes)} nodes` : '';
  return (
    <span class="experiment-progress">
      <progress max={1} value={share} aria-label="searches made" /> {Math.round(share * 100)} %
      <span class="quiet">{working?.done ?? 0} done{started && `; now ${started.game} by ${searchOf(started)}`}{nodes}</span>
    </span>
  );
}
