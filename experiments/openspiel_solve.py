#!/usr/bin/env python3
"""Games of OpenSpiel solved through `foregone.openspiel`, and by OpenSpiel's own algorithms.

    pip install ./bindings/python open_spiel cvxpy
    python3 experiments/openspiel_solve.py [--limit SECONDS] [GAME ...]
    python3 experiments/openspiel_solve.py --builtin     a built-in game from Python and from the command line
    python3 experiments/openspiel_solve.py --python      nodes a second of games that are written in Python

Everything runs in a process of its own, which is given so many seconds of CPU (60 if nothing is said); the time is
that of the process's CPU from the loaded game to the value. Foregone's has the proof in it, and its replay by the
checker. Of OpenSpiel, the package has value iteration (`value_iteration`, which keeps a table of drawings; here
with `cyclic_game=True`, which is much faster as it looks at no drawing twice) and alpha-beta
(`minimax.alpha_beta_search`; `expectiminimax` to the end where there is chance), both in Python over states in C++.
"""

import argparse
import gc
import json
import math
import resource
import subprocess
import sys
import time

GAMES = [
    "tic_tac_toe",
    "python_tic_tac_toe",
    "connect_four(rows=3,columns=3,x_in_row=3)",
    "gomoku(size=3,connect=3,anti=true)",
    "hex(board_size=3)",
    "havannah(board_size=2)",
    "breakthrough(rows=4,columns=3)",
    "clobber(rows=3,columns=4)",
    "dots_and_boxes(num_rows=2,num_cols=2)",
    "nim",
    "pig(winscore=5,horizon=10,diceoutcomes=4)",
    "catch(rows=8,columns=6)",
    "breakthrough(rows=5,columns=3)",
    "dots_and_boxes(num_rows=1,num_cols=4)",
    "y(board_size=4)",
    "hex(num_cols=3,num_rows=4)",
    "mnk(m=4,n=3,k=3)",
    "connect_four(rows=4,columns=4)",
    "hex(board_size=4)",
    "oshi_zumo(coins=6,size=1,horizon=8)",
    "goofspiel(num_cards=4,points_order=descending)",
    "connect_four(rows=4,columns=5)",
]


def foregone_solves(name):
    import foregone.openspiel

    game = foregone.openspiel.load(name)
    began = time.process_time()
    answer = foregone.solve(game, memory="6G")
    assert answer.solved and answer.proof.checked, answer
    return float(answer.number), time.process_time() - began, game.seen


def value_iterates(name):
    import pyspiel
    from open_spiel.python import games  # noqa: F401  (those that are written in Python)
    from open_spiel.python.algorithms import value_iteration

    sys.setrecursionlimit(100_000)
    game = pyspiel.load_game(name)
    began = time.process_time()
    values = value_iteration.value_iteration(game, -1, 1e-9, cyclic_game=True)
    state = game.new_initial_state()
    return values.get(str(state), math.nan), time.process_time() - began, len(values)


def alpha_beta(name):
    import pyspiel
    from open_spiel.python import games  # noqa: F401
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game(name)
    kind = game.get_type()
    began = time.process_time()
    if kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC:
        value, _ = minimax.expectiminimax(game.new_initial_state(), 10_000, None, 0)
    else:
        value, _ = minimax.alpha_beta_search(game)
    return value, time.process_time() - began, None


ALGORITHMS = {"foregone": foregone_solves, "iteration": value_iterates, "alpha-beta": alpha_beta}


def alone(algorithm, name, limit):
    """What an algorithm finds in a process of its own, or why it finds nothing."""
    words = [sys.executable, __file__, "--one", algorithm, name, "--limit", str(limit)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        return {"error": "time" if done.returncode < 0 or "MemoryError" in last else last}


def one(algorithm, name, limit):
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 3, int(limit) + 3))
    resource.setrlimit(resource.RLIMIT_AS, (10 << 30, 10 << 30))
    # What was imported is no work of the algorithm's: without this, one collection of it takes 20 to 50 ms.
    import pyspiel  # noqa: F401
    from open_spiel.python import games  # noqa: F401
    from open_spiel.python.algorithms import minimax, value_iteration  # noqa: F401

    gc.collect()
    gc.freeze()
    value, seconds, positions = ALGORITHMS[algorithm](name)
    print(json.dumps({"value": value, "seconds": seconds, "positions": positions}))


def compare(names, limit):
    print("| game | value | positions | foregone | value iteration | times | alpha-beta | times |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in names:
        ours = alone("foregone", name, limit)
        cells = [f"`{name}`", f"{ours['value']:.6g}" if "value" in ours else "?"]
        cells.append(f"{ours['positions']:,}" if "positions" in ours else "")
        cells.append(seconds_of(ours, limit))
        for algorithm in ("iteration", "alpha-beta"):
            told = alone(algorithm, name, limit)
            both = "value" in ours and "value" in told
            if both and math.isnan(told["value"]):
                cells += [f"{seconds_of(told, limit)}, not of the start", ""]
                continue
            if both and not math.isclose(told["value"], ours["value"], abs_tol=1e-6):
                cells += [f"{seconds_of(told, limit)}, wrong: {told['value']:g}", ""]
                continue
            cells += [seconds_of(told, limit), f"{told['seconds'] / ours['seconds']:.1f}" if both else ""]
        print(f"| {' | '.join(cells)} |", flush=True)


def seconds_of(told, limit):
    if "seconds" in told:
        return f"{told['seconds']:.3f} s"
    return f"> {limit:g} s" if told["error"] == "time" else "can't"


def builtin():
    """The same solve from Python and by the program, in turn: CPU of the whole process, the start of Python as well."""
    print("| game | program | Python | more |\n|---|---:|---:|---:|")
    for spec in ("connect-four:5x6", "domineering:8x8"):
        words = {
            "program": ["-m", "foregone", "solve", spec],
            "python": ["-c", f"import foregone; print(foregone.solve({spec!r}))"],
        }
        best = dict.fromkeys(words, math.inf)
        for _ in range(5):
            for who, more in words.items():
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([sys.executable, *more], stdout=subprocess.DEVNULL, check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                best[who] = min(best[who], took)
        more = 100 * (best["python"] / best["program"] - 1)
        print(f"| `{spec}` | {best['program']:.3f} s | {best['python']:.3f} s | {more:+.1f} % |", flush=True)


class Counted:
    """Counts the moves that OpenSpiel's alpha-beta makes: one for each node but the first."""

    def __init__(self, kind):
        self.kind, self.moves, self.old = kind, 0, kind._apply_action

    def __enter__(self):
        def counts(state, action):
            self.moves += 1
            return self.old(state, action)

        self.kind._apply_action = counts
        return self

    def __exit__(self, *_):
        self.kind._apply_action = self.old


def written_in_python():
    """Nodes a second of games in Python: as classes of one's own here, and in OpenSpiel."""
    import os

    import foregone
    import foregone.openspiel
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import mcts, minimax
    from open_spiel.python.games import tic_tac_toe

    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../bindings/python/examples"))
    import cost

    print("| what | nodes | seconds | nodes a second |\n|---|---:|---:|---:|")

    def row(what, nodes, seconds):
        print(f"| {what} | {nodes:,} | {seconds:.3f} | {nodes / seconds:,.0f} |", flush=True)

    for rules in (cost.TicTacToe(), cost.ConnectFour(4, 4), cost.ConnectFour(4, 5)):
        began = time.process_time()
        answer = foregone.solve(rules, scheme="pn", driver="dag")
        row(f"{rules.name}, a class here, `pn` + `dag`, proof included", answer.nodes, time.process_time() - began)
    game = foregone.openspiel.load("python_tic_tac_toe")
    began = time.process_time()
    answer = foregone.solve(game, scheme="pn", driver="dag")
    row("`python_tic_tac_toe` through the adapter, `pn` + `dag`, proof included", answer.nodes, time.process_time() - began)
    with Counted(tic_tac_toe.TicTacToeState) as counted:
        began = time.process_time()
        minimax.alpha_beta_search(pyspiel.load_game("python_tic_tac_toe"))
        row("`python_tic_tac_toe` in OpenSpiel, its alpha-beta", counted.moves + 1, time.process_time() - began)
    with Counted(tic_tac_toe.TicTacToeState) as counted:
        spiel, chooser = pyspiel.load_game("python_tic_tac_toe"), numpy.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, chooser)
        bot = mcts.MCTSBot(spiel, 2.0, 1000, evaluator, random_state=chooser)
        began = time.process_time()
        bot.step(spiel.new_initial_state())
        row("`python_tic_tac_toe` in OpenSpiel, moves made by its MCTS", counted.moves, time.process_time() - began)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--one", choices=ALGORITHMS, help=argparse.SUPPRESS)
    parser.add_argument("--builtin", action="store_true")
    parser.add_argument("--python", action="store_true")
    told = parser.parse_args()
    if told.one:
        one(told.one, told.games[0], told.limit)
    elif told.builtin:
        builtin()
    elif told.python:
        written_in_python()
    else:
        compare(told.games, told.limit)


if __name__ == "__main__":
    main()
