// What is asked about the position, and by which search.

import type { View, Words } from '../api';
import { bytes } from '../lib/format';
import type { Answers } from './useanswers';
import { isForMany, questionText, solversFor, takesSchemes, type Question } from './question';
import type { GameOnPage } from './usegame';

interface AskingProps {
  game: GameOnPage;
  view: View | null;
  words: Words | null;
  question: Question;
  answers: Answers;
  moves: boolean;
  onMoves(on: boolean): void;
  auto: boolean;
  onAuto(on: boolean): void;
}

export function Asking(props: AskingProps) {
  const { game, view, words, question, answers } = props;
  const set = (change: Partial<Question>) => {
    const next = { ...question, ...change };
    game.set({ question: next.kind === 'value' ? undefined : questionText(next) });
  };
  const over = view?.shown.over !== null;
  return (
    <section class="panel asking" aria-label="Question">
      <div class="panel-head">
        <h2>Question</h2>
        <button
          type="button"
          class="primary"
          onClick={answers.busy ? answers.work.stop : answers.ask}
          disabled={!answers.busy && over}
          data-testid="ask"
          title="Space"
        >
          {answers.busy ? 'Stop' : 'Ask'}
        </button>
      </div>
      <div class="field-grid question-grid">
        <label>
          <span>What</span>
          <select value={question.kind} onChange={(event) => set({ kind: event.currentTarget.value as Question['kind'], of: '' })} data-testid="question">
            <option value="value">What is it worth?</option>
            <option value="win">Is it won?</option>
            <option value="at-least">Is it worth at least …?</option>
            {view?.joint && <option value="nash">Which strategies?</option>}
            {!view?.joint && !view?.chance && <option value="formula">Does a formula hold?</option>}
          </select>
        </label>
        <label>
          <span>For</span>
          <select value={question.player} onChange={(event) => game.set({ player: event.currentTarget.value || undefined })}>
            <option value="">{view && isForMany(view) ? 'who is to move' : view?.shown.players[0] ?? 'the first player'}</option>
            {view?.shown.players.slice(isForMany(view) ? 0 : 1).map((player) => <option key={player} value={player}>{player}</option>)}
          </select>
        </label>
      </div>
      {question.kind === 'at-least' && (
        <label class="field">
          <span>Outcome</span>
          <input list="outcomes" value={question.of} onChange={(event) => set({ of: event.currentTarget.value })} spellcheck={false} />
          <datalist id="outcomes">{view?.outcomes.map((outcome) => <option key={outcome} value={outcome} />)}</datalist>
        </label>
      )}
      {question.kind === 'formula' && <FormulaField {...props} onText={(of) => set({ of })} />}
      <div class="switches">
        <label><input type="checkbox" checked={props.moves} onChange={(event) => props.onMoves(event.currentTarget.checked)} /> values of all moves</label>
        <label><input type="checkbox" checked={props.auto} onChange={(event) => props.onAuto(event.currentTarget.checked)} data-testid="auto" /> ask by itself</label>
      </div>
      <details>
        <summary>How it is searched</summary>
        {words && view && <Search game={game} view={view} words={words} question={question} />}
      </details>
    </section>
  );
}

function FormulaField({ view, words, question, onText }: AskingProps & { onText(text: string): void }) {
  return (
    <div class="field">
      <label>
        <span>Formula</span>
        <textarea rows={2} value={question.of} onChange={(event) => onText(event.currentTarget.value)} spellcheck={false} data-testid="formula" />
      </label>
      <details>
        <summary>Words of formulas</summary>
        <dl class="word-list">
          {words?.concepts.map(({ form, meaning }) => (
            <div key={form}>
              <dt><button type="button" class="link" onClick={() => onText(form)}>{form}</button></dt>
              <dd>{meaning}</dd>
            </div>
          ))}
          {view?.atoms.map(([name, meaning]) => (
            <div key={name}><dt><code>{name}</code></dt><dd>{meaning}</dd></div>
          ))}
        </dl>
      </details>
    </div>
  );
}

interface SearchProps {
  game: GameOnPage;
  view: View;
  words: Words;
  question: Question;
}

function Search({ game, view, words, question }: SearchProps) {
  const { limits } = words;
  const solvers = solversFor(words, view);
  const schemes = takesSchemes(view);
  return (
    <div class="field-grid">
      {schemes && <SchemeAndDriver game={game} view={view} words={words} question={question} />}
      {solvers.length > 0 && (
        <label>
          <span>Solver</span>
          <select value={question.solver} onChange={(event) => game.set({ solver: event.currentTarget.value || undefined })}>
            <option value="">the usual one</option>
            {solvers.map(({ word, about }) => <option key={word} value={word} title={about}>{word}</option>)}
          </select>
        </label>
      )}
      <label>
        <span>Seconds <span class="quiet">≤ {limits.seconds}</span></span>
        <input type="number" min={1} max={limits.seconds} value={question.seconds} onChange={(event) => game.set({ seconds: event.currentTarget.value })} />
      </label>
      <label>
        <span>Memory, MiB <span class="quiet">≤ {bytes(limits.bytes)}</span></span>
        <input type="number" min={16} max={Math.floor(limits.bytes / 2 ** 20)} value={question.memory} onChange={(event) => game.set({ memory: event.currentTarget.value })} />
      </label>
    </div>
  );
}

/** Whether a driver takes a scheme, where both are said. Drivers that take none stand alone. */
export function fits(words: Words, scheme: string, driver: string): boolean {
  const takes = words.drivers.find(({ word }) => word === driver)?.takes;
  return scheme === '' || takes === undefined || takes.includes(scheme);
}

/** Only pairs that fit can be chosen. */
export function SchemeAndDriver({ game, view, words, question }: SearchProps) {
  const { scheme, driver } = question;
  const usual = (word: string | null | undefined) => (word ? `the usual one (${word})` : 'the usual one');
  return (
    <>
      <label>
        <span>Scheme</span>
        <select value={scheme} onChange={(event) => game.set({ scheme: event.currentTarget.value || undefined })} data-testid="scheme">
          <option value="">{usual(view.usually.scheme)}</option>
          {words.schemes.map(({ word, about }) => (
            <option key={word} value={word} title={about} disabled={!fits(words, word, driver)}>{word}: {about}</option>
          ))}
        </select>
      </label>
      <label>
        <span>Driver</span>
        <select value={driver} onChange={(event) => game.set({ driver: event.currentTarget.value || undefined })} data-testid="driver">
          <option value="">{usual(view.usually.driver)}</option>
          {words.drivers.map(({ word, about }) => (
            <option key={word} value={word} title={about} disabled={!fits(words, scheme, word)}>{word}: {about}</option>
          ))}
        </select>
      </label>
    </>
  );
}
