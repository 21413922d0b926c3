//! Examples below the help of commands.

pub(super) const SOLVE_EXAMPLES: &str = "\
Examples:
  foregone solve domineering:5x5
  foregone solve connect-four:4x4 --question 'at-least draw'
  foregone solve connect-four:5x4 --position moves:1,2,3,4 --scheme pn
  foregone solve nim:3,5,6 --driver dfs --json
  foregone solve explicit:examples/figure-2-2.game --proof proof.txt
  foregone solve goofspiel:6 --position moves:6/1,5/4
  foregone solve goofspiel:7 --scheme smab --driver tree

Exit codes: 0 answered, 1 undecided within the budget, 2 bad input, 3 proof rejected,
130 interrupted.";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  foregone check chess 'omega(2)' --position '5k2/8/5K2/8/8/8/8/7R w - - 0 1' --tree
  foregone check chess h#2 --all --position '4R3/8/8/8/1b2K3/8/8/6k1 b - - 0 1'
  foregone check hex:4 'ladder(5)' --position '.x../.x../o.o./.... red'
  foregone check tic-tac-toe '<x>[o]<x> w' --position 'xo./.x./..o x' --as x
  foregone check chess '<A>[B] captured(q)' --position FEN --algorithm mps --cost depth
  foregone check chess 'mine(3)' --define mine.txt --explain
  foregone check chess --batch problems.tsv --all

Formulas: propositions of the game (`foregone games NAME` lists them), ! & | ->, <A>f (A has
a move after which f), [A]f (after all moves of A, f); agents are A, B, B1, B2, … or players;
classes such as omega(3) (`foregone concepts` lists them). A final position that A has not won
lets all others pass, so that a stalemate proves nothing.

Exit codes: 0 answered, 1 undecided within the budget, 2 bad input, 3 proof rejected,
130 interrupted.";

pub(super) const MATRIX_EXAMPLES: &str = "\
Examples:
  foregone matrix examples/rock-paper-scissors.csv
  foregone matrix examples/inspection.csv --json

Payoffs are whole numbers, decimals or fractions such as -3/2. A line that begins with # is a
comment. Up to 40 moves of either player the answer is exact; beyond, it says how far off it may be.

Exit codes: 0 answered, 2 bad input, 3 answer rejected by the check.";

pub(super) const GDL_EXAMPLES: &str = "\
Examples:
  foregone gdl check rulesheets/tic-tac-toe.kif
  foregone gdl show rulesheets/tic-tac-toe.kif --step normal
  foregone gdl random rulesheets/nim.kif --seed 7 --playouts 2
  foregone gdl replay rulesheets/nim.kif moves.jsonl --backend plain
  foregone solve gdl:rulesheets/tic-tac-toe.kif

Exit codes: 0 done, 2 bad input or a rulesheet with problems.";

pub(super) const PLAYER_EXAMPLES: &str = "\
Examples:
  foregone player
  foregone player --port 9148 --name second --margin 1s

A server reaches it by its address and port; Ctrl-C ends it.";

pub(super) const COMBAT_EXAMPLES: &str = "\
Examples:
  foregone combat abcd nok-av --army '3 marine, 2 zergling' --svg battle.svg
  foregone combat kiting closest --army '2 dragoon' --foe-army '4 zealot' --frames 24
  foregone combat abcd all --battles 365
  foregone combat abcd:alt-last,playout,20ms abcd:rab-once,ltd2,500nodes --battles 100
  foregone combat abcd:known closest --battles 100

Settings of abcd: ltd, ltd2, playout (how leaves are judged); alt, alt-last, rab, rab-once, maxmin,
minmax (who chooses first); 5ms or 500nodes (for a decision); depth=N (moves ahead; 2 with playouts
when not given); known (it knows the other's script).
Units: marine (M), zergling (Z), dragoon (D), zealot (T); up to eight a side, capitals for the
first player's.

Exit codes: 0 fought, 2 bad input, 130 interrupted.";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  foregone solve domineering:4x4 --proof proof.txt
  foregone verify proof.txt
  foregone verify proof.txt --strict --json
  foregone verify proof.txt --expand --time 10m
  foregone verify proof.txt --rules renamed.game

Exit codes: 0 proved, 1 undecided within the budget, 2 bad input, 3 proof rejected, 130 interrupted.";

pub(super) const SHOW_EXAMPLES: &str = "\
Examples:
  foregone show hex:5
  foregone show connect-four:6x7 --position 4444
  foregone show domineering:4x4 --position moves:a1a2,c1d1";

pub(super) const PERFT_EXAMPLES: &str = "\
Examples:
  foregone perft connect-four:6x7 7
  foregone perft breakthrough:6x6 4 --position moves:a2-a3";

pub(super) const BENCH_EXAMPLES: &str = "\
Examples:
  foregone bench signature
  foregone bench pns playouts";

pub(super) const REPRODUCE_EXAMPLES: &str = "\
Examples:
  foregone reproduce
  foregone reproduce table-2.2 --time 10s
  foregone reproduce slides-atarigo --format markdown --out atarigo.md
  foregone reproduce figure-2.3 --out figure.svg
  foregone reproduce table-3.1 --sample 64

The budget is that of each search: 60s when nothing is said, 500ms for the positions of
table-2.1 and figure-2.3, nodes for chapter 3 and playouts for chapter 4.

Exit codes: 0 done, 2 bad input, 3 a wrong answer, 130 interrupted.";

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  foregone run domineering:4x4 scheme=pn driver=tree leaves=mobility
  foregone run 'tic-tac-toe question=\"at-least draw\" player=o nodes=10000'
  foregone run goofspiel:5 'solver=smab(tree,skip=2)' --json
  foregone run '{\"game\":\"hex:3\",\"scheme\":\"pp\",\"budget\":{\"nodes\":10000}}'

Exit codes: 0 answered, 1 undecided within the budget, 2 bad input, 3 proof rejected,
130 interrupted.";
