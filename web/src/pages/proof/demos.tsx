// Proofs to begin with: small games that are solved at once, one for each kind of certificate.

import type { Job } from '../../api';
import { FailureBox } from '../../parts/failure';
import { isBusy, useWork } from '../../parts/search';
import { navigate } from '../../route';

const DEMOS: { name: string; about: string; job: Job }[] = [
  { name: 'Tic-tac-toe', about: 'a draw, by rules alone', job: { game: 'tic-tac-toe', knowledge: false } },
  { name: 'Connect Four 5×4', about: 'with static knowledge', job: { game: 'connect-four:5x4' } },
  {
    name: 'A mate in two', about: 'a formula, and all its keys',
    job: { game: 'chess', position: 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1', question: 'formula #2', all: true },
  },
  { name: 'Goofspiel 3', about: 'both move at the same time', job: { game: 'goofspiel:3' } },
  { name: 'Pig to 10', about: 'dice', job: { game: 'pig:10' } },
];

export function Demos() {
  const work = useWork();
  const busy = isBusy(work.state);
  const { last } = work.state;
  const make = (job: Job) => {
    work.start({ work: 'solve', job: { ...job, proof: 'always' } }, (event) => {
      if (event.event === 'solved' && event.proof) navigate('proof', { proof: event.proof.proof });
    });
  };
  return (
    <section class="panel" aria-label="Proofs to begin with">
      <h2 class="panel-title">Or make one</h2>
      <div class="demo-list">
        {DEMOS.map(({ name, about, job }) => (
          <button key={name} type="button" class="demo" disabled={busy} data-testid="proof-demo" onClick={() => make(job)}>
            <strong>{name}</strong> <span class="quiet">{about}</span>
          </button>
        ))}
      </div>
      <p class="quiet drop-progress" role="status">
        {busy ? 'solving…' : last?.event === 'solved' && !last.proof ? 'there is no proof of it' : ''}
      </p>
      <FailureBox failure={work.state.failure} />
    </section>
  );
}
