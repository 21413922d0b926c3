import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Failure, Job, WorkEvent } from '../api';
import { ApiError } from '../api';
import { Jobs } from './jobs';
import type { FromWorker, ToWorker } from './messages';
import { Port } from './port';
import { Shelf } from './shelf';

const MOST = { seconds: 600, bytes: 1.5e9 };

/** A worker that answers as it is told to. */
class Fake {
  onmessage: ((message: { data: FromWorker }) => void) | null = null;
  onerror: (() => void) | null = null;
  heard: ToWorker[] = [];
  ended = false;
  opened = 0;

  postMessage(message: ToWorker): void {
    this.heard.push(message);
    if (message.request === 'start') this.tell({ id: message.id, answer: { module: null } });
    if (message.request === 'open-proof') this.tell({ id: message.id, answer: { proof: `w${++this.opened}`, bytes: 1 } });
  }

  terminate(): void {
    this.ended = true;
  }

  tell(data: FromWorker): void {
    queueMicrotask(() => !this.ended && this.onmessage?.({ data }));
  }

  get last(): ToWorker {
    return this.heard.at(-1)!;
  }
}

function open(): { fake: Fake; port: Port } {
  const fake = new Fake();
  return { fake, port: new Port(fake as unknown as Worker, 'work', null) };
}

/** Places for work, the workers that were started, and what work told. */
function desk(places: number) {
  const fakes: Fake[] = [];
  const jobs = new Jobs(places, MOST, new Shelf(), async () => {
    const { fake, port } = open();
    fakes.push(fake);
    return port;
  });
  const run = (job: Job) => {
    const told: WorkEvent[] = [];
    return { told, running: jobs.run({ work: 'solve', job }, (event) => told.push(event)) };
  };
  return { fakes, jobs, run };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const names = (told: WorkEvent[]) => told.map((event) => event.event);

function solved(stop: string): WorkEvent {
  const answer = { stop, seconds: 1, peak_bytes: 5 } as Answer;
  return { event: 'solved', answer, scene: null, proof: { proof: '1', bytes: 3 }, text: '' };
}

function ends(fake: Fake, event: WorkEvent, memory = 0): void {
  fake.tell({ id: fake.last.id, event, file: new Blob(['abc']), last: { memory } });
}

function broken(message: string): Failure {
  return { kind: 'lost', message, help: null, place: null };
}

test('answers and failures find who asked', async () => {
  const { fake, port } = open();
  const [one, two] = [port.ask({ request: 'view', body: 1 }), port.ask({ request: 'view', body: 2 })];
  await settled();
  const [first, second] = fake.heard.slice(1);
  fake.tell({ id: second!.id, answer: 'second' });
  fake.tell({ id: first!.id, failure: broken('no') });
  assert.equal(await two, 'second');
  await assert.rejects(one, (error) => error instanceof ApiError && error.failure.message === 'no');
  assert.ok(!port.dead);
});

test('a worker that breaks fails all that was asked, and is ended', async () => {
  const { fake, port } = open();
  const asked = [port.ask({ request: 'view' }), port.ask({ request: 'words' })];
  await settled();
  fake.tell({ id: fake.last.id, failure: broken('it broke'), broken: true });
  for (const one of asked) await assert.rejects(one, /it broke/);
  assert.ok(port.dead && fake.ended);
  await assert.rejects(port.ask({ request: 'words' }), ApiError);
});

test('a script that can not be loaded is a failure', async () => {
  const { fake, port } = open();
  fake.onerror?.();
  await assert.rejects(port.ask({ request: 'words' }), (error) => error instanceof ApiError && error.failure.kind === 'lost');
});

test('work waits for a place and is told how much is ahead', async () => {
  const { fakes, run } = desk(1);
  const [one, two, three] = [run({ game: 'a' }), run({ game: 'b' }), run({ game: 'c' })];
  await settled();
  assert.equal(fakes.length, 1);
  assert.deepEqual(two.told, [{ event: 'queued', ahead: 1 }]);
  assert.deepEqual(three.told, [{ event: 'queued', ahead: 2 }]);
  two.running.stop();
  assert.deepEqual(names(two.told), ['queued', 'failed']);
  assert.deepEqual(three.told.at(-1), { event: 'queued', ahead: 1 });
  ends(fakes[0]!, solved('solved'));
  await one.running.done;
  await settled();
  assert.equal(fakes.length, 1, 'the worker is used again');
  assert.equal((fakes[0]!.last as { work: { job: Job } }).work.job.game, 'c');
});

test('stopping ends the worker, and the next work has another one', async () => {
  const { fakes, run } = desk(1);
  const [one, two] = [run({ game: 'a' }), run({ game: 'b' })];
  await settled();
  one.running.stop();
  one.running.stop();
  await one.running.done;
  assert.deepEqual(names(one.told), ['failed']);
  await settled();
  assert.deepEqual([fakes.length, fakes[0]!.ended], [2, true]);
  ends(fakes[1]!, solved('solved'));
  await two.running.done;
});

test('work that is stopped before its worker has started gives its place back', async () => {
  const { fakes, run } = desk(1);
  const one = run({ game: 'a' });
  one.running.stop();
  const two = run({ game: 'b' });
  await settled();
  ends(fakes.at(-1)!, solved('solved'));
  await two.running.done;
  assert.deepEqual(names(one.told), ['failed']);
  assert.equal(two.told.at(-1)!.event, 'solved');
});

test('a worker that has grown large is replaced', async () => {
  const { fakes, run } = desk(1);
  const one = run({ game: 'a' });
  await settled();
  ends(fakes[0]!, solved('solved'), 1e9);
  await one.running.done;
  run({ game: 'b' });
  await settled();
  assert.deepEqual([fakes.length, fakes[0]!.ended], [2, true]);
});

test('a search that has used its time waits, begins anew with more, and ends with what it found', async () => {
  const { fakes, run } = desk(1);
  const one = run({ game: 'a', budget: { time: 2, memory: 100 } });
  await settled();
  ends(fakes[0]!, solved('time'));
  await settled();
  assert.deepEqual(one.told, [{ event: 'paused', seconds: 1, bytes: 5, why: 'time' }]);
  one.running.more(3);
  await settled();
  const { job } = (fakes[0]!.last as { work: { job: Job } }).work;
  assert.equal(job.budget?.time, 5);
  ends(fakes[0]!, solved('memory'));
  await settled();
  one.running.more(0, 1e12);
  await settled();
  assert.equal((fakes[0]!.last as { work: { job: Job } }).work.job.budget?.memory, MOST.bytes);
  ends(fakes[0]!, solved('time'));
  await settled();
  one.running.stop();
  await one.running.done;
  assert.deepEqual(names(one.told), ['paused', 'resumed', 'paused', 'resumed', 'paused', 'solved']);
});

test('a search that had all that there is does not wait', async () => {
  const { fakes, run } = desk(3);
  const one = run({ game: 'a', budget: { memory: 1e12 } });
  await settled();
  const { job } = (fakes[0]!.last as { work: { job: Job } }).work;
  assert.deepEqual(job.budget, { time: MOST.seconds, memory: MOST.bytes });
  ends(fakes[0]!, solved('memory'));
  await one.running.done;
  assert.deepEqual(names(one.told), ['solved']);
});

test('memory that is left open is the share of one place', async () => {
  const { fakes, run } = desk(3);
  run({ game: 'a' });
  await settled();
  assert.equal((fakes[0]!.last as { work: { job: Job } }).work.job.budget?.memory, MOST.bytes / 3);
});

test('a proof that was made has a name of the page, and survives its worker', async () => {
  const { fakes, jobs, run } = desk(1);
  const one = run({ game: 'a' });
  await settled();
  ends(fakes[0]!, solved('solved'), 1e9);
  await one.running.done;
  const last = one.told.at(-1)!;
  assert.ok(last.event === 'solved' && last.proof !== null);
  const { proof } = last.proof;
  assert.equal(await jobs.shelf.file(proof).text(), 'abc');
  jobs.run({ work: 'verify', proof }, () => {});
  await settled();
  assert.deepEqual((fakes[1]!.last as { work: object }).work, { work: 'verify', proof: 'w1' });
});

test('a proof is opened once in each worker, and again where it was forgotten', async () => {
  const [shelf, one, two] = [new Shelf(), open(), open()];
  const { proof } = shelf.keep(new Blob(['x']));
  assert.equal(await shelf.nameIn(one.port, proof), 'w1');
  assert.equal(await shelf.nameIn(one.port, proof), 'w1');
  assert.equal(await shelf.nameIn(two.port, proof), 'w1');
  shelf.forget(one.port, proof);
  assert.equal(await shelf.nameIn(one.port, proof), 'w2');
  assert.throws(() => shelf.nameIn(one.port, 'p77'), (error) => error instanceof ApiError && error.failure.kind === 'gone');
});

test('the oldest proofs make room', () => {
  const shelf = new Shelf();
  const handles = Array.from({ length: 201 }, () => shelf.keep(new Blob(['x'])));
  assert.throws(() => shelf.file(handles[0]!.proof), ApiError);
  assert.equal(shelf.file(handles[1]!.proof).size, 1);
  const large = shelf.keep({ size: 9e9 } as Blob);
  assert.equal(shelf.file(large.proof).size, 9e9);
  assert.throws(() => shelf.file(handles[200]!.proof), ApiError);
});
