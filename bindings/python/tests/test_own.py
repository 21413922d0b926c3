"""Games that are written in Python."""

import random
from fractions import Fraction

import foregone
import pytest

SEARCHES = [
    {"scheme": scheme, "driver": driver}
    for scheme in ("minmax", "pn", "pp", "mcts")
    for driver in ("tree", "dag", "squared")
]
SEARCHES += [{"scheme": s, "driver": "df"} for s in ("pn", "pp")]
SEARCHES += [{"driver": "dfs"}, {"driver": "alphabeta"}, {}]


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_every_search_solves_random_games_like_brute_force(search, random_game, brute_force):
    for seed in range(12):
        game = random_game(seed)
        answer = foregone.solve(game, proof=True, **search)
        assert answer.number == brute_force(game), game.name
        assert answer.proof.proved
        assert foregone.verify(answer.proof.text, game=random_game(seed))["status"] == "proved"


def test_chance_is_taken_by_its_weights(random_game, brute_force):
    seen = set()
    for seed in range(30):
        game = random_game(seed, chance=True)
        answer = foregone.solve(game, proof=True)
        assert answer.number == brute_force(game), game.name
        assert answer.proof.checked
        fresh = random_game(seed, chance=True)
        assert foregone.verify(answer.proof.text, game=fresh)["status"] == "proved"
        seen.add(answer.number.denominator > 1)
    assert seen == {True, False}


def test_many_players_go_for_their_own_scores(random_game, brute_force):
    for seed in range(20):
        game = random_game(seed, players=3)
        answer = foregone.solve(game, scheme="maxn", proof=True)
        assert tuple(answer.scores.values()) == brute_force(game), game.name
        fresh = random_game(seed, players=3)
        assert foregone.verify(answer.proof.text, game=fresh)["status"] == "proved"


def test_one_of_many_players_is_asked_what_it_can_force(random_game):
    def forced(game, s):
        mover = game.turn(s)
        if mover is None:
            return game.outcome(s)[1]
        values = [forced(game, game.play(s, m)) for m in game.moves(s)]
        return max(values) if mover == 1 else min(values)

    for seed in range(20):
        game = random_game(seed, players=3)
        answer = foregone.solve(game, player="p1", proof=True)
        assert answer.number == forced(game, 0)


class Matching:
    """Both show a coin; so many rounds. The first one wants them to be the same."""

    simultaneous = True

    def __init__(self, rounds):
        self.rounds = rounds
        self.name = f"matching-{rounds}"

    def start(self):
        return (0, 0)

    def turn(self, s):
        return None if s[0] == self.rounds else "both"

    def moves(self, s):
        return (["heads", "tails"], ["heads", "tails"])

    def play(self, s, pair):
        a, b = pair
        gain = (2 if a == "heads" else 1) if a == b else -1
        return (s[0] + 1, s[1] + gain)

    def outcome(self, s):
        return Fraction(s[1], 2)


def test_moves_at_the_same_time():
    # Each round is worth 1/5: heads with 2/5 makes both columns equal.
    answer = foregone.solve(Matching(3), proof=True)
    assert answer.number == Fraction(3, 10)
    assert answer.strategies[0] == {"heads": Fraction(2, 5), "tails": Fraction(3, 5)}
    assert foregone.verify(answer.proof.text, game=Matching(3))["status"] == "proved"
    position = foregone.Game(Matching(2)).start().play(("heads", "heads"))
    assert foregone.solve(position).number == Fraction(1) + Fraction(1, 10)


class Turns(Matching):
    """The same, but the second player sees the first coin."""

    def turn(self, s):
        if len(s) == 3:
            return 1
        return None if s[0] == self.rounds else 0

    def moves(self, s):
        return ["heads", "tails"]

    def play(self, s, move):
        return (*s, move) if len(s) == 2 else super().play(s[:2], (s[2], move))


def test_who_waits_has_one_move():
    answer = foregone.solve(Turns(2), proof=True)
    assert answer.number == -1
    assert foregone.verify(answer.proof.text, game=Turns(2))["status"] == "proved"


class Walk:
    """A walk on a ring: the first one wants to reach the end, and the second may go back for ever."""

    players = ("walker", "keeper")

    def start(self):
        return (1, 0)

    def turn(self, s):
        return None if s[0] in (0, 4) else s[1]

    def moves(self, s):
        return ["on", "back"]

    def play(self, s, m):
        return (s[0] + (1 if m == "on" else -1), 1 - s[1])

    def outcome(self, s):
        return "win" if s[0] == 4 else "loss"


def test_plays_that_go_round_are_found_out():
    # The keeper goes back whenever it can; neither can force an end but by a blunder of the walker.
    answer = foregone.solve(Walk(), proof=True)
    assert answer.value == "undetermined"
    assert foregone.verify(answer.proof.text, game=Walk())["status"] == "proved"
    for driver in ("dag", "df", "alphabeta", "dfs"):
        assert foregone.solve(Walk(), driver=driver).value == "undetermined", driver

    class Drawn(Walk):
        endless = "draw"

    assert foregone.solve(Drawn()).value == "draw"


class Ring:
    """A random graph with loops, and the brute force of who can force an end of it."""

    outcomes = ("loss", "win")

    def __init__(self, seed, size=12):
        rng = random.Random(seed)
        self.name = f"ring-{seed}"
        self.graph = {}
        for at in range(size):
            if at and rng.random() < 0.25:
                self.graph[at] = (None, rng.choice(self.outcomes))
            else:
                self.graph[at] = (rng.randrange(2), rng.sample(range(size), rng.randint(1, 3)))

    def start(self):
        return 0

    def turn(self, s):
        return self.graph[s][0]

    def moves(self, s):
        return self.graph[s][1]

    def play(self, s, m):
        return m

    def outcome(self, s):
        return self.graph[s][1]

    def value(self):
        won = [{s for s, (t, o) in self.graph.items() if t is None and o == end} for end in ("win", "loss")]
        for player, states in enumerate(won):
            while True:
                more = {
                    s
                    for s, (t, nexts) in self.graph.items()
                    if t is not None
                    and s not in states
                    and (any if t == player else all)(n in states for n in nexts)
                }
                if not more:
                    break
                states |= more
        return "win" if 0 in won[0] else "loss" if 0 in won[1] else "undetermined"


def test_random_games_with_loops(capfd):
    seen = set()
    for seed in range(60):
        game = Ring(seed)
        for driver in ("dag", "df", "alphabeta", "dfs"):
            answer = foregone.solve(game, driver=driver, proof=True)
            assert answer.value == game.value(), (seed, driver)
            assert foregone.verify(answer.proof.text, game=Ring(seed))["status"] == "proved"
        seen.add(answer.value)
    assert seen == {"win", "loss", "undetermined"}
    assert "panicked" not in capfd.readouterr().err


def test_a_game_that_denies_its_loops_is_told():
    class Denies(Walk):
        endless = "impossible"

    with pytest.raises(foregone.RulesError, match="can come up again"):
        foregone.solve(Denies())


def test_outcomes_that_nobody_declares_are_found_out(brute_force):
    class Points:
        name = "points"

        def start(self):
            return ()

        def turn(self, s):
            return len(s) % 2 if len(s) < 4 else None

        def moves(self, s):
            return [1, 2, 3]

        def play(self, s, m):
            return (*s, m)

        def outcome(self, s):
            return s[0] * s[1] - s[2] * s[3]

    answer = foregone.solve(Points(), proof=True)
    assert answer.number == brute_force(Points())
    assert foregone.Game(Points()).outcomes[0] == "-8"


def test_one_player_plays_for_points():
    class Alone:
        players = ("me",)
        outcomes = range(0, 10)

        def start(self):
            return 1

        def turn(self, s):
            return 0 if s < 5 else None

        def moves(self, s):
            return ["double", "add"]

        def play(self, s, m):
            return s * 2 if m == "double" else s + 1

        def outcome(self, s):
            return s

    answer = foregone.solve(Alone(), proof=True)
    assert answer.value == "8" and answer.proof.proved


def test_positions_are_their_moves_or_their_own_text(nim):
    game = foregone.Game(nim(1, 2))
    position = game.start().play("1-1")
    assert position.text == "moves:1-1"
    assert foregone.solve(game, position="moves:1-1").value == "win"
    assert position == game.position("moves:1-1")

    class Named(nim):
        def position_text(self, s):
            return f"{'+'.join(map(str, s[0]))} {s[1]}"

        def read_position(self, text):
            heaps, turn = text.split()
            return tuple(int(n) for n in heaps.split("+")), int(turn)

    answer = foregone.solve(Named(1, 2), position="1+3 1", proof=True)
    assert answer.position == "1+3 1" and answer.value == "loss"
    assert foregone.verify(answer.proof.text, game=Named(1, 2))["status"] == "proved"


def test_texts_of_moves_may_depend_on_the_state(nim):
    class Told(nim):
        def move_texts(self, s):
            return [f"{'+'.join(map(str, s[0]))}-{take}@{heap}" for heap, take in self.moves(s)]

    game = foregone.Game(Told(1, 2))
    assert game.start().moves == ["1+2-1@0", "1+2-1@1", "1+2-2@1"]
    answer = foregone.solve(game, proof=True)
    assert answer.best_move == "1+2-1@1"
    assert foregone.verify(answer.proof.text, game=Told(1, 2))["status"] == "proved"

    class Both(Matching):
        def move_texts(self, s):
            return [f"{side}{move[0]}" for side in "ab" for move in ("heads", "tails")]

    assert foregone.Game(Both(1)).start().joint_moves == (["ah", "at"], ["bh", "bt"])
    for wrong in (lambda g, s: ["one"], lambda g, s: ["one", "two", "three", "four"], lambda g, s: ["one"] * 3):
        with pytest.raises(foregone.RulesError, match="fewer|more|two moves"):
            foregone.Game(type("Wrong", (nim,), {"move_texts": wrong})(1, 2)).start()


def test_certificates_are_of_one_game_only(nim):
    text = foregone.solve(nim(1, 2), proof=True).proof.text
    with pytest.raises(foregone.ProofError):
        foregone.verify(text, game=nim(1, 3))

    class Other(nim):
        def outcome(self, s):
            return "win" if s[1] == 0 else "loss"

    with pytest.raises(foregone.ProofError, match="rules"):
        foregone.verify(text, game=Other(1, 2))
    forged = text.replace("! ", "! 0-9 ", 1)
    with pytest.raises(foregone.ProofError):
        foregone.verify(forged, game=nim(1, 2))


def broken(**methods):
    """A game of one move with something else."""

    class Game:
        def start(self):
            return 0

        def turn(self, s):
            return 0 if s < 3 else None

        def moves(self, s):
            return [1]

        def play(self, s, m):
            return s + 1

        def outcome(self, s):
            return "win"

    for name, method in methods.items():
        setattr(Game, name, method)
    return Game()


@pytest.mark.parametrize(
    "methods, message",
    [
        ({"moves": lambda g, s: []}, r"moves\(0\) gave no move"),
        ({"moves": lambda g, s: 7}, r"moves\(0\) gave 7, not a list"),
        ({"turn": lambda g, s: 2}, r"turn\(0\) gave 2"),
        ({"turn": lambda g, s: -1}, r"turn\(0\) gave -1"),
        ({"turn": lambda g, s: True}, r"turn\(0\) gave True"),
        ({"turn": lambda g, s: "third"}, r"the players are first, second"),
        ({"turn": lambda g, s: "chance"}, r"has a method `chances`"),
        ({"turn": lambda g, s: "both"}, r"simultaneous = True"),
        ({"outcome": lambda g, s: "won"}, r"the outcomes are|some outcomes|at least two"),
        ({"outcome": lambda g, s: None}, r"outcome\(3\) gave None"),
        ({"outcome": lambda g, s: 0.1}, r"whole number|digits"),
        ({"play": lambda g, s, m: None}, r"gave None"),
        ({"play": lambda g, s, m: [s]}, r"unhashable"),
        ({"start": lambda g: []}, r"unhashable"),
        ({"moves": lambda g, s: [1, 1]}, r"two moves of 0 are written `1`"),
        ({"players": ("a", "a")}, r"the same name"),
        ({"outcomes": ("win",)}, r"at least two"),
        ({"name": "two words"}, r"one word"),
        ({"endless": "never"}, r"endless"),
    ],
)
def test_a_game_that_breaks_its_rules_is_told(methods, message):
    for driver in ("dag", "alphabeta", "df"):
        with pytest.raises((foregone.RulesError, TypeError), match=message):
            foregone.solve(broken(**methods), driver=driver, proof=True)


def test_what_is_not_a_game_is_told():
    with pytest.raises(TypeError, match="no method `start`"):
        foregone.solve(object())


@pytest.mark.parametrize("name", ["start", "turn", "moves", "play", "outcome"])
def test_what_a_game_raises_is_raised(name):
    class Own(Exception):
        pass

    def raises(*_):
        raise Own("mine")

    with pytest.raises(Own, match="mine") as caught:
        foregone.solve(broken(**{name: raises}))
    assert any(entry.name == "raises" for entry in caught.traceback)


def test_a_game_that_breaks_down_deep_in_a_search_is_raised_and_can_be_asked_again(nim):
    class Fragile(nim):
        breaks = True

        def moves(self, s):
            if self.breaks and sum(s[0]) == 3:
                raise RuntimeError("three")
            return super().moves(s)

    rules = Fragile(3, 4, 5)
    game = foregone.Game(rules)
    for driver in ("dag", "alphabeta", "df", "tree"):
        with pytest.raises(RuntimeError, match="three"):
            foregone.solve(game, driver=driver)
    rules.breaks = False
    assert foregone.solve(game).value == "win"


@pytest.mark.parametrize(
    "chances, message",
    [
        ([], "nothing can happen"),
        ([("a", 0)], "not above 0"),
        ([("a", 1 / 3), ("b", 2 / 3)], "rounded"),
        ([("a", "often")], "not a weight"),
        (["a"], "pairs"),
        ([("a", 2**62), ("b", Fraction(1, 1000))], "digits"),
    ],
)
def test_wrong_chances_are_told(chances, message):
    game = broken(
        turn=lambda g, s: "chance" if s == 0 else None,
        chances=lambda g, s: chances,
        play=lambda g, s, m: 1,
    )
    with pytest.raises(foregone.RulesError, match=message):
        foregone.solve(game)


def test_a_game_is_asked_once_for_each_position(nim):
    class Counted(nim):
        asked = 0

        def turn(self, s):
            type(self).asked += 1
            return super().turn(s)

    game = foregone.Game(Counted(3, 4, 5))
    first = foregone.solve(game, driver="dfs", proof=True)
    asked = Counted.asked
    assert first.nodes > 1000 > asked
    foregone.solve(game, driver="alphabeta", proof=True)
    assert Counted.asked <= 120


def test_games_of_ones_own_are_compared_matched_and_tabled(nim, tmp_path):
    compared = foregone.compare([nim(2, 3), "nim:2,3"], schemes=["pn"], drivers=["dag", "df"])
    assert [row["value"] for row in compared.rows] == ["win"] * 4
    assert not compared.contradictions
    played = foregone.match(nim(1, 2, 3), "dag pn", "random", games=4, openings=0)
    assert played.wins >= 2
    play = foregone.play(nim(1, 2), "dag pn")
    assert play.reply() == "1-1"
    built = foregone.table.build(nim(1, 2), dir=tmp_path)
    assert built["complete"]
    assert foregone.table.probe(nim(1, 2), dir=tmp_path)["value"] == "win"
    assert foregone.table.verify(nim(1, 2), dir=tmp_path)["complete"]


def expanding(base, wrong=lambda told: told):
    """A game that can tell of many states at once."""

    class Expanding(base):
        calls = 0

        def expand(self, states):
            type(self).calls += 1
            told = []
            for s in states:
                if self.turn(s) is None:
                    told.append((None, self.outcome(s)))
                else:
                    pairs = self.chances(s) if self.turn(s) == "chance" else self.moves(s)
                    told.append((self.turn(s), pairs, [self.play(s, m) for m in self.moves(s)]))
            return wrong(told)

    return Expanding


def test_all_positions_can_be_looked_at_at_once(nim, random_game, brute_force):
    class Counted(expanding(nim)):
        asked = 0

        def turn(self, s):
            type(self).asked += 1
            return super().turn(s)

    game = foregone.Game(Counted(3, 4, 5))
    reached, todo = set(), [nim(3, 4, 5).start()]
    while todo:
        state = todo.pop()
        if state not in reached:
            reached.add(state)
            rules = nim(3, 4, 5)
            todo += [rules.play(state, m) for m in rules.moves(state)]
    assert game.explore() == game.seen == len(reached)
    asked, calls = Counted.asked, Counted.calls
    assert calls < 20
    assert foregone.solve(game, proof=True).value == "win"
    assert (Counted.asked, Counted.calls) == (asked, calls)
    for seed in range(10):
        for options in ({}, {"chance": True}):
            rules = expanding(random_game)(seed, **options)
            game = foregone.Game(rules)
            game.explore()
            assert foregone.solve(game, proof=True).number == brute_force(rules)


def test_loops_are_found_while_all_positions_are_looked_at():
    for seed in range(20):
        for base in (Ring, expanding(Ring)):
            game = foregone.Game(base(seed))
            game.explore()
            assert foregone.solve(game, proof=True).value == game_value(seed)


def game_value(seed):
    return Ring(seed).value()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda told: told[1:],
        lambda told: told + told,
        lambda told: [(0,) for _ in told],
        lambda told: [(0, [1, 2], [3]) for _ in told],
        lambda told: [(0, [], []) for _ in told],
        lambda told: [7 for _ in told],
        lambda told: [(None, "won") for _ in told],
    ],
)
def test_wrong_words_about_many_states_are_told(wrong, nim):
    with pytest.raises(foregone.RulesError):
        foregone.Game(expanding(nim, wrong)(1, 2)).explore()
