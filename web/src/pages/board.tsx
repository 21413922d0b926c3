// The board: play, ask, and see what every move is worth.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Scene, View } from '../api';
import { backend } from '../backend';
import { Asking } from '../game/asking';
import { LegalMoves } from '../game/legal';
import { MoveList } from '../game/movelist';
import { useLineArrows, usePreview } from '../game/preview';
import { questionOf } from '../game/question';
import { SeatsPanel, useSeats } from '../game/seats';
import { Setup } from '../game/setup';
import { useAnswers } from '../game/useanswers';
import { useGame } from '../game/usegame';
import { useBoardKeys } from '../game/keys';
import { ValueGraph } from '../game/valuegraph';
import { useAsked, useKept } from '../lib/hooks';
import { mistakeOf, type Mistake } from '../lib/values';
import { AnswerPanel } from '../parts/answer';
import { Board } from '../parts/board';
import { ICON } from '../parts/choices';
import { FailureBox } from '../parts/failure';
import { SearchPanel } from '../parts/search';
import { filesParam, href } from '../route';
import type { PageProps } from './index';

export function BoardPage({ params }: PageProps) {
  const game = useGame('board', params);
  const { view } = game;
  const words = useAsked(() => backend.words(), []).value;
  const games = useAsked(() => backend.games(), []).value;
  const [flipped, setFlipped] = useState(false);
  const [showValues, setShowValues] = useKept('values', true);
  const [auto, setAuto] = useKept('auto', true);
  const [moves, setMoves] = useKept('all-moves', true);
  const [hold, setHold] = useState(false);
  const [mistake, setMistake] = useState<(Mistake & { at: string }) | null>(null);
  const question = useMemo(() => questionOf(params, words?.limits ?? null), [params, words]);
  const answers = useAnswers(game, { question, moves, auto, hold });
  const preview = usePreview(game, answers.solved?.answer.line ?? []);
  const [showLine, setShowLine] = useState(false);
  const lineArrows = useLineArrows(game, answers.solved?.answer.line ?? [], showLine ? 'all' : showValues ? 'travels' : 'none');
  // It speaks of one move, not of what stands at the same place in another variation.
  const open = mistake !== null && mistake.at === JSON.stringify(game.moves);
  const seats = useSeats(game, open);

  useEffect(() => setHold(seats.locked), [seats.locked]);
  useEffect(() => setMistake(null), [params.game, params.position]);
  const play = (move: string) => {
    if (!game.settled) return;
    const wrong = mistakeOf(answers.values, move);
    const name = (text: string) => usualName(view, text);
    setMistake(wrong ? { ...wrong, played: name(move), better: wrong.better.map(name), at: JSON.stringify([...game.moves, move]) } : null);
    game.play(move);
  };
  useBoardKeys(game, {
    flip: () => setFlipped(!flipped),
    line: () => setShowLine(!showLine),
    values: () => setShowValues(!showValues),
    ask: () => (answers.busy ? answers.work.stop() : answers.ask()),
  });

  const drawn = preview.scene ?? view?.scene ?? null;
  const scene = useMemo(() => drawn && withoutState(drawn), [drawn]);
  const name = game.where.game;
  const entry = games?.find((known) => known.name === name.split(':')[0]);
  return (
    <div class="board-page">
      <div class="page-head">
        <h1>{name}</h1>
        <p class="quiet page-about">{entry?.rules ?? ''}</p>
      </div>
      <div class="board-column">
        <div class="board-tools" role="toolbar" aria-label="Board">
          <button type="button" onClick={() => setFlipped(!flipped)} aria-pressed={flipped} title="f" data-testid="flip">Flip</button>
          <button type="button" onClick={() => setShowValues(!showValues)} aria-pressed={showValues} title="v" data-testid="values">Values</button>
          <button type="button" onClick={() => setShowLine(!showLine)} aria-pressed={showLine} disabled={!answers.solved?.answer.line?.length} title="l" data-testid="show-line">Line</button>
          <a class="button" href={href('study', { ...params, question: '' })}>Study</a>
        </div>
        {/* The banner says that the server is lost; the board stays where it is. */}
        <FailureBox failure={game.failure?.kind === 'lost' && view ? null : game.failure} text={params.position} />
        {params.files && !game.where.files && <p class="quiet">The rules that this link means are kept in the browser that made it. They are too long for a link.</p>}
        {game.failure && game.failure.kind !== 'lost' && (
          <p><button type="button" onClick={() => game.set({ position: undefined, moves: undefined })}>Back to the start of the game</button></p>
        )}
        {view ? (
          <Board
            scene={scene ?? view.scene}
            usual={preview.scene ? undefined : view.usual}
            label={boardLabel(view)}
            onMove={preview.scene ? undefined : play}
            flipped={flipped}
            values={preview.scene ? undefined : answers.values}
            showValues={showValues && !showLine}
            arrows={preview.scene ? preview.arrows : lineArrows}
            joint={view.joint ? view.shown.players : undefined}
            presets={seats.presets}
            weights={preview.scene ? undefined : view.shown.weights}
            locked={seats.locked || !game.settled}
          />
        ) : (
          <div class="board"><div class="board-frame board-wait" data-testid="board-wait" /></div>
        )}
        <p class="state-of-play" role="status" data-testid="state">{view ? stateOf(view) : ''}</p>
        {open && mistake && <MistakeBox mistake={mistake} onBack={() => { setMistake(null); game.goToMoves(game.moves.slice(0, -1)); }} onGoOn={() => setMistake(null)} />}
        {view && <LegalMoves view={view} values={answers.values} show={showValues} onMove={seats.locked ? undefined : play} />}
        {view && view.warnings.length > 0 && <ul class="warnings">{view.warnings.map((warning, i) => <li key={i}>{warning}</li>)}</ul>}
      </div>
      <div class="side-column">
        <Asking game={game} view={view} words={words} question={question} answers={answers} moves={moves} onMoves={setMoves} auto={auto} onAuto={setAuto} />
        {answers.solved
          ? (
            <AnswerPanel
              answer={answers.solved.answer}
              view={view}
              text={answers.solved.text}
              proof={answers.solved.proof}
              files={game.where.files}
              onPreview={preview.show}
              onPlay={(plies) => { preview.show(0); game.goToMoves([...game.moves, ...(answers.solved?.answer.line ?? []).slice(0, plies)]); }}
            />
          )
          : <section class="panel answer answer-empty" aria-label="Answer"><p class="quiet">{view?.shown.over != null ? 'The game is over.' : 'No answer yet.'}</p></section>}
        <SearchPanel work={answers.work} />
      </div>
      <div class="side-column">
        <SeatsPanel seats={seats} view={view} levels={words?.levels ?? []} />
        <MoveList game={game} joint={view?.joint ?? false} />
        <ValueGraph game={game} answers={answers} />
        <Setup game={game} entry={entry} view={view} />
        {game.where.files && <p class="quiet">The rules come from <a href={href('rulesheet', { files: filesParam(game.where.files), game: name })}>your own text</a>.</p>}
      </div>
    </div>
  );
}

/** A legal move as people write it. */
function usualName(view: View | null, move: string): string {
  return view?.usual[view.scene.moves.findIndex((legal) => legal.move === move)] ?? move;
}

function boardLabel(view: View): string {
  return `Board of ${view.game}, ${stateOf(view)}`;
}

/** Who is to move, or how it ended, as the scene says it in one of its notes. */
function stateOf({ shown, joint, scene }: View): string {
  const note = scene.notes.find(isState);
  if (note) return note.replace(/^over/, 'Over');
  if (joint) return `${shown.players.join(' and ')} move at the same time`;
  return shown.weights && shown.weights.length > 0 ? 'Chance is to move' : '';
}

function isState(note: string): boolean {
  return note.startsWith('over: ') || note.endsWith(' to move');
}

/** The page says itself who is to move. */
function withoutState(scene: Scene): Scene {
  return scene.notes.some(isState) ? { ...scene, notes: scene.notes.filter((note) => !isState(note)) } : scene;
}

function MistakeBox({ mistake, onBack, onGoOn }: { mistake: Mistake; onBack(): void; onGoOn(): void }) {
  const { before, after, played, better } = mistake;
  return (
    <div class="mistake" role="alert" data-testid="mistake">
      <p>
        <strong><span aria-hidden="true">{ICON[after.quality]} </span>{played}</strong> gives something away: {before.label} becomes {after.label}.{' '}
        {better.length === 1 ? `${better[0]} was best.` : `Best were ${better.slice(0, 4).join(', ')}.`}
      </p>
      <div class="tools">
        <button type="button" class="primary" onClick={onBack} data-testid="take-back">Take it back</button>
        <button type="button" onClick={onGoOn} data-testid="go-on">Go on</button>
      </div>
    </div>
  );
}
