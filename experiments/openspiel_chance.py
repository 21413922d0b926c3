#!/usr/bin/env python3
"""Nodes a second of OpenSpiel's expectiminimax (Python), for `foregone bench chance` to be compared with.

    pip install open_spiel && python3 experiments/openspiel_chance.py
"""

import time

import pyspiel
from open_spiel.python.algorithms import minimax


def measure(name, depth, moves=()):
    state = pyspiel.load_game(name).new_initial_state()
    for move in moves:
        state.apply_action(move)
    nodes = 0

    def value(_state):
        return 0.0

    def count(state, left):
        nonlocal nodes
        nodes += 1
        if state.is_terminal() or left == 0:
            return
        for action in state.legal_actions():
            count(state.child(action), left - 1)

    count(state, depth)
    began = time.process_time()
    minimax.expectiminimax(state, depth, value, 0)
    seconds = time.process_time() - began
    print(f"{name}, {depth} moves ahead: {nodes} nodes, {nodes / seconds:.0f} a second")


measure("pig(winscore=100)", 9)
measure("backgammon", 2)
measure("tic_tac_toe", 5)
