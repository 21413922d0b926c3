#!/usr/bin/env python3
"""Simulations a second of OpenSpiel's C++ MCTS bot, for `foregone bench play`.

    openspiel_mcts.py SIMULATIONS SECONDS GAME [GAME ...]

GAME is a name that OpenSpiel reads, such as `hex(board_size=5)`. A search of so many simulations is
made from the start again and again, until the seconds are over; the fastest counts, as others may
use the machine, too. Prints a line a game: the name, a tab, simulations a second. Needs the wheel
`open_spiel`.
"""

import sys
import time

import pyspiel


def speed(name, simulations, seconds):
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    # No solving, and memory enough: plain UCT as it is.
    bot = pyspiel.MCTSBot(
        game, evaluator, 2.0, simulations, 1000, False, 1, False)
    bot.step(state)
    fastest, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        clock = time.perf_counter()
        bot.step(state)
        fastest = max(fastest, simulations / (time.perf_counter() - clock))
    return fastest


def main():
    simulations, seconds, names = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
    for name in names:
        print(f"{name}\t{speed(name, simulations, seconds):.0f}", flush=True)


if __name__ == "__main__":
    main()
