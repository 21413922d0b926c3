"""Environments of PettingZoo."""

import random

import foregone
import pytest

pytest.importorskip("pettingzoo", reason="SKIPPED: environments need the package pettingzoo")

import foregone.pettingzoo  # noqa: E402
from foregone.pettingzoo import env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

CASES = [
    ("tic-tac-toe", {}),
    ("tic-tac-toe", {"opponent": "perfect"}),
    ("tic-tac-toe", {"opponent": "perfect", "agent": "o"}),
    ("tic-tac-toe", {"opponent": "random"}),
    ("tic-tac-toe", {"opponent": "dag pn"}),
    ("connect-four:4x4", {"opponent": "perfect"}),
    ("connect-four:6x7", {}),
    ("nim:1,2,3", {}),
    ("pig:10", {"max_length": 60}),
    ("goofspiel:3", {}),
    ("goofspiel:3", {"opponent": "perfect"}),
    ("domineering-three:2x2x2", {"opponent": "perfect"}),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game, options", CASES, ids=str)
def test_environments_pass_pettingzoos_own_check(game, options, capsys):
    api_test(env(game, **options), num_cycles=60)
    assert "Passed" in capsys.readouterr().out


def play(made, choose, seed=0):
    """Plays until the end, and says what everybody got."""
    made.reset(seed=seed)
    got = dict.fromkeys(made.possible_agents, 0.0)
    for name in made.agent_iter():
        seen, reward, over, cut, _ = made.last()
        got[name] += reward
        legal = seen["action_mask"].nonzero()[0]
        made.step(None if over or cut else int(choose(legal)))
    return got


def test_rewards_are_those_of_the_game():
    chooser = random.Random(3)
    made = env("tic-tac-toe")
    for seed in range(20):
        got = play(made, lambda legal: chooser.choice(list(legal)), seed)
        position = foregone.Game("tic-tac-toe").position("moves:" + ",".join(made.moves))
        assert got["x"] == {"loss": -1, "draw": 0, "win": 1}[position.over] == -got["o"]


def test_nobody_beats_a_perfect_opponent():
    chooser = random.Random(5)
    # The second player of this nim wins.
    for game, best in (("tic-tac-toe", 0), ("nim:1,2,3", -1), ("connect-four:4x4", 0)):
        made = env(game, opponent="perfect")
        for seed in range(6):
            got = play(made, lambda legal: chooser.choice(list(legal)), seed)
            assert got[made.possible_agents[0]] <= best
    made = env("hex:3", opponent="perfect", agent="blue")
    assert made.possible_agents == ["blue"]
    assert play(made, lambda legal: legal[0]) == {"blue": -1.0}


def test_a_seed_gives_the_same_play():
    def moves(seed):
        made = env("pig:10", opponent="random", max_length=40)
        play(made, lambda legal: legal[-1], seed)
        return made.moves

    assert moves(1) == moves(1) != moves(2)
    seed_test(lambda: env("tic-tac-toe", opponent="random"), num_cycles=30)


def test_masks_and_observations_are_those_of_the_position():
    made = env("connect-four:4x4")
    made.reset()
    for _ in range(4):
        made.step(0)
    seen, *_ = made.last()
    legal = [made.board.move_texts[at] for at in seen["action_mask"].nonzero()[0]]
    assert legal == made.place.position.moves == ["2", "3", "4"]
    lines = ["".join(map(chr, row)).rstrip("\0") for row in seen["observation"][:-1]]
    assert "\n".join(lines).rstrip() == str(made.place.position)
    with pytest.raises(ValueError, match="no legal action"):
        made.step(0)


def test_a_play_that_is_too_long_is_cut_off():
    made = env("connect-four:6x7", max_length=3)
    made.reset()
    for _ in range(3):
        assert not any(made.truncations.values())
        made.step(0)
    assert all(made.truncations.values()) and not any(made.terminations.values())


def test_positions_are_rendered(capsys):
    assert env("tic-tac-toe").render() is None
    for mode, word in (("ansi", "."), ("svg", "<svg")):
        made = env("tic-tac-toe", render_mode=mode)
        made.reset()
        assert word in made.render()
    made = env("tic-tac-toe", render_mode="human")
    made.reset()
    made.step(0)
    assert "x" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options, message",
    [
        ({"render_mode": "rgb"}, "render_mode"),
        ({"agent": "x"}, "goes with opponent"),
        ({"agent": "z", "opponent": "random"}, "the players are x, o"),
        ({"opponent": {"z": "random"}}, "no player 'z'"),
        ({"opponent": {"x": "random", "o": "random"}}, "no agent left"),
    ],
)
def test_wrong_words_are_told(options, message):
    with pytest.raises(ValueError, match=message):
        env("tic-tac-toe", **options)


def test_an_opponent_that_can_not_play_perfectly_says_so():
    made = env("connect-four:6x7", opponent="perfect", agent="yellow", nodes=100)
    with pytest.raises(foregone.Error, match="not solved within the budget"):
        made.reset()


def test_a_game_of_ones_own(nim):
    made = env(nim(1, 2), opponent="perfect", agent="second")
    assert play(made, lambda legal: legal[0]) == {"second": -1.0}
