//! Examples below the help of commands.

pub(super) const EXAMPLES: &str = "\
Examples:
  foregone games
  foregone solve connect-four:5x5
  foregone show hex:5 --position moves:c3
  foregone check chess '#2' --position FEN
  foregone COMMAND --help";

pub(super) const GAMES_EXAMPLES: &str = "\
Examples:
  foregone games
  foregone games hex:5
  foregone games explicit
  foregone games gdl:rulesheets/nim.kif";

pub(super) const SCHEMES_EXAMPLES: &str = "\
Examples:
  foregone schemes
  foregone schemes pn
  foregone schemes alphabeta";

pub(super) const CONCEPTS_EXAMPLES: &str = "\
Examples:
  foregone concepts
  foregone concepts omega
  foregone check hex:3 'omega(3)'";

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  foregone completions bash > ~/.local/share/bash-completion/completions/foregone
  foregone completions zsh > ~/.zfunc/_foregone
  foregone completions fish > ~/.config/fish/completions/foregone.fish";

pub(super) const GDL_CHECK_EXAMPLES: &str = "\
Examples:
  foregone gdl check rulesheets/tic-tac-toe.kif
  foregone gdl check rulesheets/nim.kif --playouts 100 --json";

pub(super) const GDL_SHOW_EXAMPLES: &str = "\
Examples:
  foregone gdl show rulesheets/tic-tac-toe.kif
  foregone gdl show rulesheets/tic-tac-toe.kif --step gates";

pub(super) const GDL_REPLAY_EXAMPLES: &str = "\
Examples:
  foregone gdl random rulesheets/nim.kif > moves.jsonl
  foregone gdl replay rulesheets/nim.kif moves.jsonl --backend plain";

pub(super) const GDL_RANDOM_EXAMPLES: &str = "\
Examples:
  foregone gdl random rulesheets/nim.kif
  foregone gdl random rulesheets/nim.kif --seed 7 --playouts 2";

pub(super) const SOLVE_EXAMPLES: &str = "\
Examples:
  foregone solve domineering:5x5
  foregone solve connect-four:4x4 --question 'at-least draw'
  foregone solve connect-four:5x4 --position moves:1,2,3,4 --scheme pn
  foregone solve nim:3,5,6 --driver dfs --json
  foregone solve explicit:examples/figure-2-2.game --proof proof.txt
  foregone solve goofspiel:6 --position moves:6/1,5/4
  foregone solve goofspiel:7 --scheme smab --driver tree
  foregone solve gdl:rulesheets/three-player-nim.kif --scheme maxn
  foregone solve hex:3 --proof - | foregone verify -
  foregone solve connect-four:6x5 --checkpoint c4.ckpt --every 5m --log c4.log

Options of single schemes and drivers, such as --init, --exploration and --order, are listed by
`foregone schemes`.

Exit codes: 0 answered, 1 undecided within the budget, 2 bad input, 3 proof rejected,
130 interrupted.";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  foregone check chess 'omega(2)' --position '5k2/8/5K2/8/8/8/8/7R w - - 0 1' --tree
  foregone check chess h#2 --all --position '4R3/8/8/8/1b2K3/8/8/6k1 b - - 0 1'
  foregone check hex:4 'ladder(5)' --position '.x../.x../o.o./.... red'
  foregone check tic-tac-toe '<x>[o]<x> w' --position 'xo./.x./..o x' --as x
  foregone check chess '<A>[B] captured(q)' --position FEN --algorithm mps --cost depth
  foregone check chess 'f(3)' --define f.txt --explain
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

pub(super) const VALUE_EXAMPLES: &str = "\
Examples:
  foregone value domineering:2x3
  foregone value domineering:3x3 --position '.../.#./... vertical' --all-moves
  foregone value 'clobber:2x3 + nim:2' --proof value.txt
  foregone value domineering:4x4 --svg thermograph.svg
  foregone value '{3|1} + *2 + {1|-1}'
  foregone value 'G = {1|*}; mean(G)' 'G + G >= 1/2'
  echo 'help()' | foregone value

The first player of a game is Left, the other one Right. Any game in which who cannot move loses
has a value, and so has a sum of them. It is proved by two certificates: who begins loses the sum of
the position and the negative of its value. Without a game it is a calculator: a line at a time, or
several with ; between them.

Exit codes: 0 proved, 1 not decided or not proved within the budget, 2 bad input, 130 interrupted.";

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
  foregone player --host 0.0.0.0

A server on this machine reaches it by its port, one on another machine only with --host 0.0.0.0;
Ctrl-C ends it.";

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

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  foregone compare connect-four:4x4 domineering:5x5 --schemes pn,pp --drivers tree,dag,df
  foregone compare hex:4 --schemes 'pn,mcts(exploration=0.5)' --seeds 1..5 --csv runs.csv
  foregone compare domineering:4x4 domineering:5x5 --drivers alphabeta,df --svg plot.svg
  foregone compare connect-four:5x4 --positions positions.txt --plot cactus --svg plot.svg
  foregone compare goofspiel:5 --schemes bi,smab,do

A table has the medians over seeds and repetitions; `> N` is a median of runs that were stopped.
The CSV file has every run. A file of positions has one on each line, behind its game and a tab
where several games are meant.

Exit codes: 0 done, 2 bad input, 3 two searches contradict each other, 130 interrupted.";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  foregone solve domineering:4x4 --proof proof.txt
  foregone verify proof.txt
  foregone verify proof.txt --strict --json
  foregone verify proof.txt --expand --time 10m
  foregone verify proof.txt --rules renamed.game
  foregone solve hex:3 --proof - | foregone verify -

Exit codes: 0 proved, 1 undecided within the budget, 2 bad input, 3 proof rejected, 130 interrupted.";

pub(super) const SERVE_EXAMPLES: &str = "\
Examples:
  foregone serve
  foregone serve --open
  foregone serve --port 0 --json
  foregone serve --jobs 2 --job-time 2m --job-memory 1G
  foregone serve --host 0.0.0.0

Everything is in the program: it reads no file and asks nobody. Only this machine is let in; with
another --host, who has the token in the address. A search ends when its page is closed.

Exit codes: 2 bad input, 130 interrupted.";

pub(super) const SHOW_EXAMPLES: &str = "\
Examples:
  foregone show hex:5
  foregone show connect-four:6x7 --position 4444
  foregone show domineering:4x4 --position moves:a1a2,c1d1 --json";

pub(super) const DRAW_EXAMPLES: &str = "\
Examples:
  foregone draw hex:5 --svg board.svg
  foregone draw connect-four:6x7 --position moves:4,4,3 > board.svg
  foregone draw tic-tac-toe --position moves:b2,a1 --best --svg best.svg
  foregone draw connect-four:5x5 --position moves:3,3 --values --svg values.svg
  foregone draw chess --json

Every game has a picture. It shows who is to move, the last move of a list of moves, with --best
the first moves of the line that `solve` finds, and with --values what each move is worth.

Exit codes: 0 drawn, 1 undecided within the budget, 2 bad input, 130 interrupted.";

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
  foregone reproduce --quick
  foregone reproduce table-2.2 --time 10s
  foregone reproduce slides-atarigo --format markdown --out atarigo.md
  foregone reproduce figure-2.3 --out figure.svg
  foregone reproduce table-3.1 --sample 64

The budget is that of each search: 60s when nothing is said, 500ms for the positions of
table-2.1 and figure-2.3, nodes for chapter 3 and playouts for chapter 4.

Exit codes: 0 done, 2 bad input, 3 a wrong answer, 130 interrupted.";

pub(super) const RESUME_EXAMPLES: &str = "\
Examples:
  foregone solve connect-four:6x5 --checkpoint c4.ckpt --log c4.log
  foregone resume c4.ckpt
  foregone resume c4.ckpt --memory 16G --proof c4.txt --json

The job, its budget of memory and where its proof goes stand in the checkpoint. The file is removed
when the answer is there.
Exit codes: 0 answered, 1 undecided within the budget, 2 bad input, 3 proof rejected,
130 interrupted.";

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  foregone run domineering:4x4 scheme=pn driver=tree leaves=mobility
  foregone run 'tic-tac-toe question=\"at-least draw\" player=o nodes=10000'
  foregone run goofspiel:5 'solver=smab(tree,skip=2)' --json
  foregone run '{\"game\":\"hex:3\",\"scheme\":\"pp\",\"budget\":{\"nodes\":10000}}'

Exit codes: 0 answered, 1 undecided within the budget, 2 bad input, 3 proof rejected,
130 interrupted.";

pub(super) const PLAY_EXAMPLES: &str = "\
Examples:
  foregone play connect-four:6x7
  foregone play hex:7 --as blue --time 5s
  foregone play chess --as both --save game.pgn
  foregone play tic-tac-toe --as nobody --against random --seed 3

Type a move as the game writes it, or: hint, undo, moves, values, show, save FILE, resign, help, quit.
Exit codes: 0 played or left, 2 bad input, 130 interrupted.";

pub(super) const MATCH_EXAMPLES: &str = "\
Examples:
  foregone match default random --game tic-tac-toe --games 20 --playouts 100
  foregone match default 'uct(solve=no)' --game connect-four:6x7 --games 100 --time 100ms --threads 2
  foregone match 'df pn' 'dag pp' --game hex:4 --games 40 --playouts 2000 --save games.sgf
  foregone match random ggp:localhost:9147 --game gdl:rulesheets/tic-tac-toe.kif --games 2 --time 2s

Players: default (what plays best); random; uct, ucd(D1,D2,D3) and update-all (Monte Carlo search:
exploration=, rave=, solve=no); estimate (looks ahead by the game's own estimate: depth=); a search
that proves, by its scheme, driver and leaves (`foregone schemes` lists them); ggp:HOST:PORT (a player
of rulesheets on a network). Options of those that judge: playouts=N for each move, prove=0.25 (the part of the
budget for a proof), by=DRIVER (how), keep=no (forget all after each move).

Exit codes: 0 played, 2 bad input, 130 interrupted, with the result of the games that ended.";

pub(super) const TABLE_EXAMPLES: &str = "\
Examples:
  foregone table build chess:KQKR
  foregone table probe chess --position '8/8/8/3k4/8/8/1Q6/K6r w - - 0 1'
  foregone table verify chess:KQKR";

pub(super) const TABLE_BUILD_EXAMPLES: &str = "\
Examples:
  foregone table build tic-tac-toe
  foregone table build chess:KQKR
  foregone table build chess:4 --dir /data/tables --threads 8
  foregone table build awari 12
  foregone table build chess:4 --cluster nats://127.0.0.1:4222

A build that was stopped, or killed, goes on when the same command is given again. With --cluster,
workers (`foregone worker URL`) build the classes, and every entry of what they send is verified here.";

pub(super) const TABLE_LIST_EXAMPLES: &str = "\
Examples:
  foregone table list
  foregone table list --dir /data/tables --json";

pub(super) const TABLE_INFO_EXAMPLES: &str = "\
Examples:
  foregone table info chess:KQK
  foregone table info connect-four:4x4 --svg distances.svg";

pub(super) const TABLE_PROBE_EXAMPLES: &str = "\
Examples:
  foregone table probe tic-tac-toe --position moves:b2,a1
  foregone table probe chess --position '8/8/8/8/8/2k5/8/K6r w - - 0 1' --json";

pub(super) const TABLE_BEST_EXAMPLES: &str = "\
Examples:
  foregone table best tic-tac-toe --position moves:b2
  foregone table best chess --position '8/8/8/8/8/2k5/8/K6r b - - 0 1'";

pub(super) const TABLE_VERIFY_EXAMPLES: &str = "\
Examples:
  foregone table verify chess:KQK
  foregone table verify tables/chess/KQK.table

All tables that one leads to are checked with it. Nothing of the builder is used: the rules, the
numbering of the positions, and the checker in crates/proof/src/table.rs.";

pub(super) const TABLE_MATERIAL_EXAMPLES: &str = "\
Examples:
  foregone table material dark-chess 8
  foregone table material dominoes 6 --json";

pub(super) const WORKER_EXAMPLES: &str = "\
Examples:
  foregone worker nats://127.0.0.1:4222
  foregone worker nats://nats.example:4222 --threads 8 --memory 16G
  FOREGONE_NATS_TOKEN=… foregone worker tls://nats.example:4222

A worker takes part in every solve and every build of tables on the server, and needs nothing but its
address. It may come and go at any time. It reads no file and runs nothing that a job names: a job is a
game of the program or the text of a rulesheet or graph, and a position with a question or a class of
positions. Classes are built in a temporary folder, which is removed at the end. Secrets are read from
the environment:
FOREGONE_NATS_TOKEN, _USER, _PASSWORD, _NKEY, _CREDS, _CA, _CERT and _KEY.";

pub(super) const CLUSTER_EXAMPLES: &str = "\
Examples:
  foregone cluster list nats://127.0.0.1:4222
  foregone cluster status nats://127.0.0.1:4222
  foregone cluster cancel nats://127.0.0.1:4222 solve-691b
  foregone cluster resume nats://127.0.0.1:4222 solve-691b --proof proof.txt

A solve is begun by `foregone solve GAME --cluster URL`. When its coordinator is gone, `resume` goes on with
what it kept on the server. Builds of tables (`foregone table build GAME --cluster URL`) are listed, too; they go
on by the command that began them.";

pub(super) const CLUSTER_LIST_EXAMPLES: &str = "\
Examples:
  foregone cluster list nats://127.0.0.1:4222";

pub(super) const CLUSTER_STATUS_EXAMPLES: &str = "\
Examples:
  foregone cluster status nats://127.0.0.1:4222
  foregone cluster status nats://127.0.0.1:4222 solve-691b --json";

pub(super) const CLUSTER_CANCEL_EXAMPLES: &str = "\
Examples:
  foregone cluster cancel nats://127.0.0.1:4222 solve-691b";

pub(super) const CLUSTER_RESUME_EXAMPLES: &str = "\
Examples:
  foregone cluster resume nats://127.0.0.1:4222 solve-691b --proof proof.txt
  foregone cluster resume nats://127.0.0.1:4222 solve-691b --wait 24h

With --wait a second coordinator stands by: it takes over when the first one's lease ends.";

pub(super) const SIMULATE_EXAMPLES: &str = "\
Examples:
  foregone simulate-cluster breakthrough:5x5 inner_nodes=100000 --workers 1,4,16,64
  foregone simulate-cluster tic-tac-toe inner_nodes=20 --workers 3 --faults 10 --seeds 100

Every job is really done, and takes in virtual time what its nodes take at the speed that --speed states. The
same seed gives the same run.";
