// What a page asks and what it is answered, whatever carries it: a server (backend/server.ts) or a worker
// that runs the same Rust code as WebAssembly (backend/worker.ts). These types mirror the plain data of
// crates/desk, crates/explorer and the library; field names are those of their JSON.

// ---------------------------------------------------------------- errors

/** What is wrong with a request: the word at fault, its place, the nearest right word. */
export interface Failure {
  kind: 'input' | 'proof' | 'stopped' | 'limit' | 'gone' | 'lost';
  message: string;
  help: string | null;
  place: { name: string; line: number; column: number; word: string } | null;
}

export class ApiError extends Error {
  constructor(public failure: Failure) {
    super(failure.message);
  }
}

// ---------------------------------------------------------------- games and positions

/** Texts of rules that games are read from, by the path that the game names: `gdl:mine.kif`. */
export type Files = Record<string, string>;

export interface GameEntry {
  name: string;
  /** The options behind the colon, as a form. */
  options: string;
  /** The rules in one line. */
  rules: string;
  moves: 'in-turn' | 'joint' | 'either';
  /** How the file is written that the game needs, where it needs one. */
  file: { ending: string; about: string; example: string } | null;
  /** A game of the same kind that is solved within seconds. */
  quick: string | null;
  /** Games as one may type them: for the gallery, the first one is drawn. */
  examples: string[];
}

export interface Word {
  word: string;
  about: string;
}

/** Everything one can choose from. Drivers say which schemes they take. */
export interface Words {
  schemes: (Word & { leaves: string[] })[];
  drivers: (Word & { takes: string[] })[];
  joint: Word[];
  chance: Word[];
  many: Word[];
  algorithms: Word[];
  concepts: { form: string; meaning: string }[];
  /** How strong an opponent can be, the weakest first; the last one is perfect where it can be. */
  levels: Word[];
  version: string;
  limits: Limits;
}

/** What a job may use at most; a page says so before it asks. */
export interface Limits {
  seconds: number;
  bytes: number;
  /** Jobs at a time. */
  jobs: number;
  /** Bytes of a certificate that may be opened. */
  certificate: number;
  /** Whether a job that has used its budget waits to be told to go on. */
  pauses: boolean;
}

/** A position: a base in the game's own text (or `start`, or `moves:a,b`), and moves played from there. */
export interface Where {
  game: string;
  files?: Files;
  position: string;
  moves?: string[];
}

export interface View {
  /** The game, in full. */
  game: string;
  /** The position behind all moves, in the game's own text. */
  position: string;
  /** The moves that were played, as certificates and as people write them. */
  history: Ply[];
  /** What `foregone show` tells. */
  shown: Shown;
  /** The picture; its `moves` say which cells make which move. */
  scene: Scene;
  /** Legal moves as people write them, where that is something else: one for each of `shown.moves[0]`. */
  usual: (string | null)[];
  joint: boolean;
  chance: boolean;
  /** Outcomes, the worst for the first player first; of joint moves the least and largest payoff. */
  outcomes: string[];
  /** Propositions that formulas may use. */
  atoms: [string, string][];
  warnings: string[];
  /** The scheme and driver (or solver) that would be picked. */
  usually: { scheme: string | null; driver: string | null };
}

export interface Shown {
  game: string;
  position: string;
  drawing: string;
  players: string[];
  one_player: boolean;
  own_scores?: boolean;
  numbers: boolean;
  to_move: string | null;
  over: string | null;
  moves: string[][];
  weights?: number[];
}

export interface Ply {
  move: string;
  san?: string;
}

// ---------------------------------------------------------------- scenes (crates/model/src/scene.rs)

export type Point = [number, number];
export type Paint =
  | 'none' | 'plain' | 'light' | 'dark' | 'wood' | 'felt' | 'frame' | 'wall' | 'ink' | 'faint'
  | 'pale-blue' | 'pale-red' | 'red' | 'blue' | 'yellow' | 'green' | 'orange' | 'violet' | 'black' | 'white';
export type Glyph =
  | { shape: 'disc' | 'cross' | 'ring' | 'block' }
  | { shape: 'seeds'; of: number }
  | { shape: 'figure' | 'word'; of: string };
export type Quality = 'good' | 'even' | 'bad' | 'neutral';

export interface Scene {
  cells: { name: string; at: Point; outline: Point[]; paint: Paint }[];
  shapes: (
    | { kind: 'line'; points: Point[]; width: number; arrow: boolean; paint: Paint }
    | { kind: 'area'; points: Point[]; paint: Paint }
    | { kind: 'dot'; at: Point; radius: number; paint: Paint }
  )[];
  pieces: { cell: number; glyph: Glyph; paint: Paint }[];
  labels: { at: Point; text: string; size: number; anchor: 'start' | 'middle' | 'end'; mono: boolean; paint: Paint }[];
  moves: Touch[];
  marks: SceneMark[];
  notes: string[];
}

/** A legal move and the cells it touches; where `travels`, from the first to the last. */
export interface Touch {
  player: string;
  move: string;
  cells: number[];
  travels: boolean;
}

export type SceneMark =
  | { kind: 'last'; cells: number[] }
  | { kind: 'arrow'; from: number; to: number; text: string; quality: Quality; best: boolean }
  | { kind: 'value'; cells: number[]; text: string; quality: Quality; best: boolean };

// ---------------------------------------------------------------- jobs

/** A question (crates/foregone/src/job.rs). What is left out is picked for the game. */
export interface Job {
  game: string;
  position?: string;
  /** `value`, `win`, `nash`, `at-least OUTCOME`, `formula TEXT`. */
  question?: string;
  player?: string | null;
  definitions?: string;
  all?: boolean;
  moves?: boolean;
  tries?: number;
  set_play?: boolean;
  variations?: boolean;
  scheme?: string | null;
  driver?: string | null;
  leaves?: string | null;
  solver?: string | null;
  opponent?: string | null;
  algorithm?: string | null;
  budget?: { nodes?: number; memory?: number; time?: number; playouts?: number; threads?: number };
  seed?: number;
  knowledge?: boolean;
  symmetry?: boolean;
  proof?: 'if-cheap' | 'never' | 'always';
}

/** Long work. `files` are the rules that it needs. */
export type Work =
  | { work: 'solve'; job: Job; files?: Files }
  | { work: 'verify'; proof: string; strict?: boolean; files?: Files }
  | { work: 'compare'; cross: Cross; files?: Files }
  /** `player`: of joint moves, for whom. */
  | ({ work: 'choose'; level: string; player?: string; seconds?: number; seed?: number } & Where)
  /** The value of each of several positions of a game, one after the other: for graphs. */
  | { work: 'values'; game: string; files?: Files; positions: string[] };

export interface Cross {
  subjects: [string, string][];
  schemes: string[];
  drivers: string[];
  seeds?: number[];
  repeat?: number;
  job?: Partial<Job>;
}

/** What work tells while it goes on. The last event is `answer` (one of several kinds) or `failed`. */
export type WorkEvent =
  | { event: 'queued'; ahead: number }
  | { event: 'started'; game: string; position: string; question: string; scheme: string | null; driver: string }
  | ({ event: 'progress' } & Progress)
  /** From here on progress speaks of the position behind this move. */
  | { event: 'move-started'; move: string }
  | { event: 'move-valued'; value: MoveAnswer }
  | { event: 'proof-started' }
  | { event: 'working'; work: 'writing' | 'checking' | 'counting' | 'comparing'; seconds: number; done: number; share: number }
  | { event: 'proof-checked'; claims: number }
  | { event: 'done'; stop: string }
  /** The budget is used up and the search waits: `more` lets it go on, `stop` ends it. Only where limits.pauses. */
  | { event: 'paused'; seconds: number; bytes: number; why: 'time' | 'memory' }
  | { event: 'resumed' }
  | { event: 'solved'; answer: Answer; scene: Scene | null; proof: ProofHandle | null; text: string }
  | { event: 'verified'; sentences: string[]; claims: number; seconds: number; strict: boolean }
  | { event: 'refused'; line: number | null; problem: string; help: string | null }
  | { event: 'compared'; comparison: Comparison }
  | { event: 'chosen'; move: string; san: string | null; known: { value: string | null; winner: string | null } | null; expects: number | null; note: string }
  | { event: 'valued'; position: string; value: string | null; winner: string | null; proved: boolean }
  | { event: 'all-valued' }
  | { event: 'failed'; failure: Failure };

/** Events after which none follows. */
export const LAST_EVENTS = ['solved', 'verified', 'refused', 'compared', 'chosen', 'all-valued', 'failed'];

export interface Progress {
  seconds: number;
  expansions: number;
  nodes: number;
  playouts: number;
  bytes: number;
  bounds: [string, string];
  /** What the scheme knows of the root, in its own words. */
  root: string;
  line: string[];
  moves: { text: string; value: string; bounds: [string, string] }[];
}

export interface MoveAnswer {
  move: string;
  value: string | null;
  winner: string | null;
  bounds: [string, string];
  holds?: boolean | null;
  best: boolean | null;
  distance: number | null;
  proved: boolean;
}

export interface ProofSummary {
  file: string | null;
  claims: number;
  known: number;
  by_reason: number;
  recomputed: number;
  recomputed_names?: string[];
  proved: boolean;
  checked: boolean;
}

/** The answer as `foregone solve --json` prints it: of games in turn, formulas, joint moves, chance or many
 *  players, told apart by their fields. */
export interface Answer {
  game: string;
  position: string;
  status: 'solved' | 'undecided';
  stop: string;
  seconds: number;
  nodes: number;
  expansions?: number;
  playouts?: number;
  peak_bytes?: number;
  proof: ProofSummary | null;
  question?: string;
  scheme?: string | null;
  driver?: string;
  value?: string | null;
  winner?: string | null;
  bounds?: [string, string];
  holds?: boolean | null;
  best_move?: string | null;
  line?: string[];
  line_san?: string[];
  line_end?: string;
  moves?: (MoveAnswer | ExpectedMove)[];
  // formulas
  formula?: string;
  as?: string;
  algorithm?: string;
  keys?: string[];
  keys_proved?: boolean;
  more_keys?: boolean;
  problem?: Problem;
  holds_for_other_side?: boolean;
  // joint moves: how often each player makes which move, by their texts
  strategies?: [Record<string, string>, Record<string, string>];
  approximation?: number | null;
  error?: number | null;
  // chance
  player?: string;
  value_is?: 'chance-to-win' | 'points';
  // many players
  scores?: { player: string; score: number }[];
  to_move?: string | null;
}

export interface ExpectedMove {
  move: string;
  value: string | null;
  bounds: [string, string];
  best: boolean | null;
  chance: string | null;
  proved: boolean;
}

/** Problems as problemists know them (crates/foregone/src/problem/mod.rs). */
export interface Attack extends Ply {
  threats?: Attack[];
  zugzwang?: boolean;
  variations?: Variation[];
  refutations?: Ply[];
}
export interface Variation extends Ply {
  continuations?: Attack[];
  dual?: boolean;
}
export interface Problem {
  keys?: Attack[];
  lines?: { moves: Ply[] }[];
  tries?: Attack[];
  set_play?: { variations?: Variation[]; lines?: { moves: Ply[] }[] };
  incomplete?: boolean;
}

export interface Comparison {
  rows: {
    game: string; position: string; scheme: string | null; driver: string;
    value: string | null; solved: number; runs: number;
    [column: string]: unknown;
  }[];
  runs: Record<string, unknown>[];
  misfits: { search: string; why: string }[];
  contradictions?: string[];
  interrupted?: boolean;
}

// ---------------------------------------------------------------- proofs (crates/explorer)

/** A certificate file that can be walked through. */
export interface ProofHandle {
  proof: string;
  bytes: number;
}

export interface ProofOutline {
  proof: string;
  bytes: number;
  /** How far the index is, from 0 to 1. Sizes of large subtrees are known when it is 1. */
  indexed: number;
  claims: number | null;
  certificates: {
    /** What it says it proves, in words. */
    claims_that: string;
    game: string;
    position: string;
    kind: 'in-turn' | 'formula' | 'mixed' | 'expected' | 'scores';
    formula: string | null;
    prover: string;
    claims: number | null;
  }[];
  /** What is wrong with the file, where the index could not go on. What stands before can be seen. */
  problem: string | null;
}

/** A place in a proof: the moves that lead there from the start of one of its certificates. Of joint moves
 *  `a/b`, of formulas the steps of the evaluation game (`1st`, `2nd`, `stays`, moves). */
export interface ProofPlace {
  proof: string;
  certificate: number;
  path: string[];
  files?: Files;
}

export interface ProofNodeView {
  /** The line of the file, counted from 1, and the byte at which it begins. */
  line: number | null;
  offset: number;
  /** The line itself, as it stands in the file (cut at 500 characters). */
  text: string;
  kind: 'plays' | 'replies' | 'over' | 'known' | 'same' | 'mixes' | 'chance' | 'opponent' | 'not-covered';
  /** Whose turn it is, or null. */
  to_move: string | null;
  /** One sentence: what is claimed here and why it holds. */
  sentence: string;
  /** Of formulas: the subformula that is asked here. */
  subformula: string | null;
  /** Of knowledge: the rule and its witness. */
  rule: string | null;
  reason: string | null;
  /** The label of this line, and the one that it refers to (the node shown is then the one referred to). */
  label: number | null;
  same_as: number | null;
  /** Claims of the block of this line; null while the index does not know. */
  size: number | null;
  /** The bound that the strategy guarantees here, where the certificate says so. */
  bound: string | null;
  view: {
    position: string;
    to_move: string | null;
    /** The outcome, where it is over. */
    over: string | null;
    /** Legal moves; of joint moves those of both players. */
    moves: string[][];
    usual: (string | null)[];
    scene: Scene;
  };
  /** The ways on, in the order of the file: the prover's move (one), all replies, the mixture, chances. At most
   *  `most` from `from`. */
  children: ProofChild[];
  children_total: number;
  from: number;
  /** Whether there are children that the index has not reached yet. */
  pending: boolean;
}

/** A position of a proof: moves and `usual` as `Shown` and `View` have them. */
export interface ProofPosition {
  position: string;
  to_move: string | null;
  over: string | null;
  moves: string[][];
  usual: (string | null)[];
  scene: Scene;
}

export interface ProofChild {
  move: string;
  san: string | null;
  /** What stands there. */
  kind: ProofNodeView['kind'] | null;
  /** The prover's answer, where the line is the prover's move. */
  answer: string | null;
  answer_san: string | null;
  size: number | null;
  /** Of mixtures and chance: how often, as a fraction. */
  weight: string | null;
  same_as: number | null;
}

export interface ProofFound {
  path: string[] | null;
  /** How much was looked at, from 0 to 1. */
  share: number;
}

// ---------------------------------------------------------------- the backend

export interface RunningWork {
  /** Ends it. What was found so far comes as the last event, where that can be. */
  stop(): void;
  /** So much more time, and so many more bytes. */
  more(seconds: number, bytes?: number): void;
  done: Promise<void>;
}

/** How far an upload has come, from 0 to 1. */
export type OnShare = (share: number) => void;

export interface Backend {
  readonly kind: 'server' | 'worker';
  /** Resolves false while the server can't be reached; listeners hear of changes. */
  onConnection(listener: (connected: boolean) => void): () => void;
  words(): Promise<Words>;
  games(): Promise<GameEntry[]>;
  /** Rulesheets, graphs and matrices that come with the program. */
  samples(): Promise<Sample[]>;
  view(where: Where, signal?: AbortSignal): Promise<View>;
  /** Begins long work; the listener hears every event, in order. */
  run(work: Work, onEvent: (event: WorkEvent) => void): RunningWork;
  openProof(file: Blob, onShare?: OnShare): Promise<ProofHandle>;
  outline(proof: string): Promise<ProofOutline>;
  node(place: ProofPlace, from?: number, most?: number): Promise<ProofNodeView>;
  /** Finds a position, or the line with a label, `#17`. */
  find(place: ProofPlace, position: string): Promise<ProofFound>;
  export(place: ProofPlace, format: 'text' | 'dot' | 'svg', depth: number): Promise<string>;
  /** The text of the whole proof, to be saved. */
  download(proof: string): Promise<Blob>;
}

export interface Sample {
  /** `rulesheets/chomp.kif` */
  path: string;
  /** `gdl`, `explicit`, `joint`, `matrix` */
  game: string;
  title: string;
  text: string;
}
