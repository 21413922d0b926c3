// What went wrong: the message, the help, and the word at fault underlined in its text.

import { ApiError, type Failure } from '../api';

/** A failure of whatever was thrown; null for requests that the page itself gave up. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof ApiError) return error.failure;
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'input', message, help: null, place: null };
}

/** The line of a text that a place is in, cut around the word: before, word, after. */
export function underlined(text: string, place: NonNullable<Failure['place']>): [string, string, string] | null {
  const line = text.split('\n')[place.line - 1];
  if (line === undefined) return null;
  const letters = [...line];
  const begin = Math.min(Math.max(place.column - 1, 0), letters.length);
  const length = Math.max([...place.word].length, 1);
  const from = Math.max(0, begin - 40);
  const before = (from > 0 ? '…' : '') + letters.slice(from, begin).join('');
  const word = letters.slice(begin, begin + length).join('') || ' ';
  const rest = letters.slice(begin + length);
  return [before, word, rest.slice(0, 40).join('') + (rest.length > 40 ? '…' : '')];
}

export interface FailureBoxProps {
  failure: Failure | null;
  /** The text that `failure.place` is a place in, where the page has it. */
  text?: string;
  class?: string;
}

export function FailureBox({ failure, text, class: more }: FailureBoxProps) {
  if (!failure) return null;
  const { place } = failure;
  const parts = place && text !== undefined ? underlined(text, place) : null;
  return (
    <div class={`failure ${more ?? ''}`} role="alert" data-testid="failure">
      <p class="failure-message">{failure.message}</p>
      {place && (
        <p class="failure-place">
          {place.name}, line {place.line}, column {place.column}
        </p>
      )}
      {parts ? (
        <pre class="failure-line"><code>{parts[0]}<u class="fault">{parts[1]}</u>{parts[2]}</code></pre>
      ) : (
        place?.word && <pre class="failure-line"><code><u class="fault">{place.word}</u></code></pre>
      )}
      {failure.help && <p class="failure-help">{failure.help}</p>}
    </div>
  );
}
