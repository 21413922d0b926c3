"""Games of OpenSpiel with exact values and proofs, and a game of Foregone under OpenSpiel's alpha-beta.

pip install open_spiel
python examples/openspiel_games.py
"""

import foregone
import foregone.openspiel
import pyspiel
from open_spiel.python.algorithms import minimax

GAMES = [
    "dots_and_boxes(num_rows=1,num_cols=4)",
    "connect_four(rows=4,columns=4)",
    "pig(winscore=6,horizon=10,diceoutcomes=4)",
    "goofspiel(num_cards=4,points_order=descending)",
    "python_tic_tac_toe",
]

if __name__ == "__main__":
    for name in GAMES:
        answer = foregone.solve(foregone.openspiel.load(name), proof=True)
        proved = foregone.verify(answer.proof.text, game=foregone.openspiel.load(name))["status"]
        print(f"{name}: {answer.number}, {proved}")
    foregone.openspiel.register()
    value, _ = minimax.alpha_beta_search(pyspiel.load_game("foregone", {"game": "nim:1,2,3"}))
    print(f"nim:1,2,3 by OpenSpiel's alpha-beta: {value:g}, here {foregone.solve('nim:1,2,3').value}")
