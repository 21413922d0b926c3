"""A table of values learns tic-tac-toe from a perfect opponent, which it can't beat: it learns to draw.

pip install pettingzoo
python examples/perfect_opponent.py
"""

import random

import foregone.pettingzoo


def learn(plays, seed=0):
    """How the plays ended, one number for each: -1 is a loss."""
    env = foregone.pettingzoo.env("tic-tac-toe", opponent="perfect")
    chooser = random.Random(seed)
    values, ends = {}, []
    for play in range(plays):
        env.reset(seed=play)
        made = []
        for _ in env.agent_iter():
            seen, reward, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            position = env.place.text
            legal = [int(action) for action in seen["action_mask"].nonzero()[0]]
            action = max(legal, key=lambda one: values.get((position, one), 0.0))
            if chooser.random() < 0.2 * (1 - play / plays):
                action = chooser.choice(legal)
            made.append((position, action))
            env.step(action)
        for key in made:
            values[key] = values.get(key, 0.0) + 0.3 * (reward - values.get(key, 0.0))
        ends.append(reward)
    return ends


if __name__ == "__main__":
    ends = learn(1500)
    for begin in range(0, len(ends), 300):
        part = ends[begin : begin + 300]
        print(f"plays {begin + 1} to {begin + 300}: {part.count(-1.0)} lost, {part.count(0.0)} drawn")
