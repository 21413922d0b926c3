// Whether a proof holds: the checker replays it, and says what it proves or where it is wrong.

import type { WorkHandle } from '../../parts/search';
import { FailureBox } from '../../parts/failure';
import { seconds } from '../../lib/format';
import { claimsText, shortened, waitingText } from './words';

interface VerifyProps {
  work: WorkHandle;
  strict: boolean;
  onStrict(strict: boolean): void;
  onVerify(): void;
}

export function VerifyPanel({ work, strict, onStrict, onVerify }: VerifyProps) {
  const { state } = work;
  const busy = state.status === 'queued' || state.status === 'running';
  return (
    <section class="panel verify" aria-label="Verification">
      <div class="verify-head">
        {busy
          ? <button type="button" onClick={() => work.stop()}>Stop</button>
          : <button type="button" class="primary" data-testid="verify" onClick={onVerify}>Verify</button>}
        <label class="check">
          <input
            type="checkbox" checked={strict} disabled={busy} data-testid="verify-strict"
            onChange={(event) => onStrict(event.currentTarget.checked)}
          />
          strict: accept no static knowledge
        </label>
      </div>
      <div class="verify-result" aria-live="polite" data-testid="verify-result" data-status={verdict(work)}>
        <Verdict work={work} />
      </div>
    </section>
  );
}

function verdict({ state }: WorkHandle): string {
  if (state.last?.event === 'verified') return 'proved';
  if (state.last?.event === 'refused') return 'refused';
  return state.status;
}

function Verdict({ work: { state } }: { work: WorkHandle }) {
  const { last } = state;
  if (last?.event === 'verified') {
    return (
      <>
        {last.sentences.map((sentence) => (
          <p key={sentence} class="verdict good" title={sentence}><span aria-hidden="true">✓ </span>{provedText(sentence)}</p>
        ))}
        <p class="quiet">
          {claimsText(last.claims)} replayed in {seconds(last.seconds)}{last.strict ? ', strictly' : ''}
        </p>
      </>
    );
  }
  if (last?.event === 'refused') {
    return (
      <>
        <p class="verdict bad">
          <span aria-hidden="true">✗ </span>
          {last.line === null ? 'refused: ' : `refused, line ${last.line}: `}{last.problem}
        </p>
        {last.help && <p class="quiet">{last.help}</p>}
      </>
    );
  }
  if (last?.event === 'failed') return <FailureBox failure={last.failure} />;
  if (state.status === 'queued') return <p class="quiet">{waitingText(state.ahead)}</p>;
  if (state.status === 'running') {
    const share = state.working?.share ?? 0;
    return (
      <p class="verify-progress">
        <progress max={1} value={share} aria-label="replayed" /> {Math.floor(share * 100)} % replayed
      </p>
    );
  }
  return <p class="quiet">Not replayed on this page yet.</p>;
}

/** The checker's sentences begin with the word or not; people read it once. */
function provedText(sentence: string): string {
  return shortened(sentence.startsWith('proved') ? sentence : `proved: ${sentence}`);
}
