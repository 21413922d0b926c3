"""Games of OpenSpiel here, and games of here in OpenSpiel."""

import random
import warnings
from fractions import Fraction

import foregone
import pytest

pyspiel = pytest.importorskip(
    "pyspiel", reason="SKIPPED: games of OpenSpiel need the package open_spiel"
)

import foregone.openspiel  # noqa: E402
from foregone.openspiel import fraction, load, rules  # noqa: E402
from open_spiel.python.algorithms import mcts, minimax  # noqa: E402

# Games that are solved from the start within a moment, with their values where those are known from elsewhere.
SOLVED = [
    ("tic_tac_toe", 0),
    ("python_tic_tac_toe", 0),
    ("connect_four(rows=3,columns=3,x_in_row=3)", None),
    ("connect_four(rows=4,columns=4)", 0),
    ("mnk(m=3,n=3,k=3)", 0),
    ("mnk(m=4,n=3,k=3)", 1),
    ("gomoku(size=3,connect=3)", 0),
    ("gomoku(size=3,connect=3,anti=true)", 0),
    ("gomoku(size=3,connect=3,wrap=true)", None),
    ("gomoku(size=2,dims=3,connect=2)", 1),
    ("hex(board_size=2)", 1),
    ("hex(board_size=3)", 1),
    ("hex(num_cols=2,num_rows=3)", None),
    ("hex(board_size=3,swap=true)", -1),
    ("y(board_size=2)", 1),
    ("y(board_size=3)", 1),
    ("y(board_size=4)", 1),
    ("havannah(board_size=2)", None),
    ("havannah(board_size=2,swap=true)", None),
    ("breakthrough(rows=4,columns=3)", None),
    ("breakthrough(rows=5,columns=3)", None),
    ("clobber(rows=2,columns=4)", None),
    ("clobber(rows=3,columns=3)", None),
    ("dots_and_boxes(num_rows=1,num_cols=2)", None),
    ("dots_and_boxes(num_rows=1,num_cols=4)", 0),
    ("dots_and_boxes(num_rows=2,num_cols=2)", None),
    ("dots_and_boxes(num_rows=1,num_cols=3,utility_margin=true)", None),
    ("nim(pile_sizes=1;2;3)", -1),
    ("nim(pile_sizes=1;2;3,is_misere=false)", -1),
    ("nim(pile_sizes=2;3;4,is_misere=false)", 1),
    ("cliff_walking(height=3,width=4,horizon=6)", -5),
    ("misere(game=nim(pile_sizes=1;2;2))", None),
    ("start_at(history=4;0;8,game=tic_tac_toe())", 0),
]

# OpenSpiel's alpha-beta, which has no table, takes seconds for these.
SLOW = {
    "python_tic_tac_toe",
    "connect_four(rows=4,columns=4)",
    "dots_and_boxes(num_rows=1,num_cols=4)",
    "y(board_size=4)",
    "breakthrough(rows=5,columns=3)",
}

# Those with chance, one of many players, and those of moves at the same time.
OTHERS = [
    "pig(winscore=4,horizon=8,diceoutcomes=3)",
    "pig(winscore=4,horizon=8,diceoutcomes=3,piglet=true)",
    "catch(rows=4,columns=3)",
    "pig(players=3,winscore=3,horizon=6,diceoutcomes=2)",
    "oshi_zumo(coins=3,size=1,horizon=5)",
    "oshi_zumo(coins=4,size=1,horizon=5,min_bid=1,alesia=true)",
    "goofspiel(num_cards=3,points_order=descending)",
    "goofspiel(num_cards=3,points_order=ascending,returns_type=point_difference)",
    "matrix_rps",
    "matrix_mp",
    "matrix_rpsw",
    "matrix_brps",
    "blotto(coins=3,fields=2)",
]

# Those that are too large to be solved in a test.
LARGE = [
    "mancala",
    "othello",
    "pentago",
    "ultimate_tic_tac_toe",
    "amazons(board_size=6)",
    "oware",
    "checkers",
    "chess",
    "nine_mens_morris",
    "lines_of_action",
    "twixt(board_size=5)",
    "chinese_checkers(players=3)",
    "backgammon",
    "einstein_wurfelt_nicht",
    "maedn",
    "antichess",
    "go(board_size=3)",
    "cursor_go(board_size=3)",
    "2048",
    "hex(board_size=5)",
    "y(board_size=6)",
    "havannah(board_size=3,swap=true)",
    "connect_four",
]

# What `rules` needs for some of them.
OPTIONS = {
    "pig(players=3,winscore=3,horizon=6,diceoutcomes=2)": {"unit": 2},
    "goofspiel(num_cards=3,points_order=ascending,returns_type=point_difference)": {"unit": 2},
}


def steps(state):
    """All moves of a state of pyspiel: actions, or lists of them."""
    if state.is_simultaneous_node():
        return [[a, b] for a in state.legal_actions(0) for b in state.legal_actions(1)]
    return state.legal_actions()


def behind(state, step):
    if not isinstance(step, list):
        return state.child(step)
    child = state.clone()
    child.apply_actions(step)
    return child


def count(state, depth):
    """The number of sequences of moves, by pyspiel alone."""
    if depth == 0:
        return 1
    if state.is_terminal():
        return 0
    if depth == 1:
        return len(steps(state))
    return sum(count(behind(state, step), depth - 1) for step in steps(state))


def brute_force(state):
    """What everybody gets, by pyspiel alone: every history is looked at, and nothing is remembered."""
    if state.is_terminal():
        return [fraction(number) for number in state.returns()]
    if state.is_chance_node():
        pairs = [(fraction(weight), brute_force(state.child(a))) for a, weight in state.chance_outcomes()]
        return [sum(weight * of[at] for weight, of in pairs) for at in range(state.num_players())]
    if state.is_simultaneous_node():
        matrix = [
            [brute_force(behind(state, [a, b]))[0] for b in state.legal_actions(1)]
            for a in state.legal_actions(0)
        ]
        value = foregone.nash(matrix).value
        return [value, -value]
    mover = state.current_player()
    return max((brute_force(state.child(a)) for a in state.legal_actions()), key=lambda of: of[mover])


@pytest.mark.parametrize("name, value", SOLVED, ids=[name for name, _ in SOLVED])
def test_values_are_those_of_alpha_beta_and_proofs_hold(name, value):
    spiel = pyspiel.load_game(name)
    answer = foregone.solve(load(name), proof=True)
    assert answer.solved and answer.proof.checked
    if spiel.num_players() == 1:
        assert [answer.number] == brute_force(spiel.new_initial_state())
    elif name not in SLOW:
        best, _ = minimax.alpha_beta_search(spiel)
        assert answer.number == fraction(best)
    if value is not None:
        assert answer.number == value
    # A game that knows nothing of this search replays the proof.
    assert foregone.verify(answer.proof.text, game=load(name))["status"] == "proved"


@pytest.mark.parametrize("name", ["tic_tac_toe", "y(board_size=3)", "dots_and_boxes(num_rows=1,num_cols=2)"])
def test_merging_changes_no_value(name):
    merged, apart, drawn = load(name), load(name, key="history"), load(name, key="string")
    found = [foregone.solve(game, driver="dfs", proof=True) for game in (merged, apart, drawn)]
    assert len({answer.number for answer in found}) == 1
    assert merged.seen < apart.seen and drawn.seen < apart.seen
    assert [game.name.split("@")[1] for game in (merged, apart, drawn)] == ["read", "history", "string"]
    # A proof says which positions it takes for the same.
    with pytest.raises(foregone.ProofError):
        foregone.verify(found[0].proof.text, game=apart)


def boxes(rows, columns):
    """Dots and boxes by brute force, and not by pyspiel: how many boxes the one to move gets ahead from here on."""
    sides = [
        frozenset([("h", r, c), ("h", r + 1, c), ("v", r, c), ("v", r, c + 1)])
        for r in range(rows)
        for c in range(columns)
    ]
    seen = {}

    def ahead(left):
        if left not in seen:
            best = None
            for line in left:
                won = sum(line in box and not (box - {line}) & left for box in sides)
                rest = ahead(left - {line})
                value = won + rest if won else -rest
                best = value if best is None else max(best, value)
            seen[left] = best or 0
        return seen[left]

    return ahead(frozenset().union(*sides))


@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2)])
def test_dots_and_boxes_is_what_brute_force_says(rows, columns):
    name = f"dots_and_boxes(num_rows={rows},num_cols={columns}"
    margin = boxes(rows, columns)
    answer = foregone.solve(load(name + ",utility_margin=true)"), proof=True)
    assert answer.number == margin
    answer = foregone.solve(load(name + ")"), proof=True)
    assert answer.number == (margin > 0) - (margin < 0)
    assert foregone.verify(answer, strict=True)["status"] == "proved"
    if (rows, columns) == (1, 4):
        assert answer.number == 0


@pytest.mark.parametrize("name", OTHERS)
def test_chance_many_players_and_moves_at_the_same_time_are_right_by_brute_force(name):
    expected = brute_force(pyspiel.load_game(name).new_initial_state())
    game = load(name, **OPTIONS.get(name, {}))
    if len(expected) > 2:
        with pytest.raises(foregone.Error, match="does not take chance"):
            foregone.solve(game, scheme="maxn")
        return
    answer = foregone.solve(game, proof=True)
    assert answer.number == expected[0]
    fresh = load(name, **OPTIONS.get(name, {}))
    assert foregone.verify(answer.proof.text, game=fresh)["status"] == "proved"


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four(rows=3,columns=3,x_in_row=3)", "nim(pile_sizes=1;2;3)"])
def test_value_iteration_says_the_same_of_every_position(name):
    pytest.importorskip("cvxpy", reason="SKIPPED: OpenSpiel's value iteration needs the package cvxpy")
    from open_spiel.python.algorithms import value_iteration

    spiel = pyspiel.load_game(name)
    values = value_iteration.value_iteration(spiel, depth_limit=-1, threshold=0, cyclic_game=True)
    game, chooser = load(name), random.Random(1)
    for _ in range(12):
        state, moves = spiel.new_initial_state(), []
        position = game.start()
        for _ in range(chooser.randrange(6)):
            actions = state.legal_actions()
            if not actions:
                break
            at = chooser.randrange(len(actions))
            position = position.play(position.moves[at])
            state.apply_action(actions[at])
        if not state.is_terminal():
            assert foregone.solve(position).number == values[str(state)]


@pytest.mark.parametrize("name", [name for name, _ in SOLVED] + OTHERS + LARGE)
def test_perft_is_what_pyspiel_counts(name):
    state, counted = pyspiel.load_game(name).new_initial_state(), []
    while len(counted) < 5 and (not counted or 0 < counted[-1] < 80):
        counted.append(count(state, len(counted) + 1))
    game = load(name, **OPTIONS.get(name, {}))
    assert game.perft(len(counted)) == counted


@pytest.mark.parametrize("name", [name for name, _ in SOLVED] + OTHERS + LARGE)
def test_random_histories_agree_move_for_move(name):
    chooser = random.Random(name)
    adapter = rules(name, **OPTIONS.get(name, {}))
    joint = hasattr(adapter, "simultaneous")
    for _ in range(3):
        state, at = adapter.spiel.new_initial_state(), adapter.start()
        for _ in range(60):
            turn = adapter.turn(at)
            if state.is_terminal():
                assert turn is None
                got = adapter.outcome(at)
                unit = 1 if joint else adapter.unit
                returns = [fraction(number) * unit for number in state.returns()]
                assert got == (tuple(returns) if isinstance(got, tuple) else returns[0])
                break
            step = chooser.choice(steps(state))
            if turn == "chance":
                pairs = adapter.chances(at)
                assert [a for a, _ in pairs] == [a for a, _ in state.chance_outcomes()]
                far = max(abs(float(w) - p) for (_, w), (_, p) in zip(pairs, state.chance_outcomes()))
                assert far < 1e-15
                assert sum(weight for _, weight in pairs) == 1
            elif turn == "both":
                assert adapter.moves(at) == [state.legal_actions(0), state.legal_actions(1)]
            else:
                assert turn == state.current_player()
                assert adapter.moves(at) == state.legal_actions()
                texts = adapter.move_texts(at)
                assert len(set(texts)) == len(texts) == len(state.legal_actions())
                assert not any(c.isspace() or c in ',:/"' for text in texts for c in text)
            assert joint or turn != "both"
            at = adapter.play(at, tuple(step) if isinstance(step, list) else step)
            state = behind(state, step)
            assert sorted(adapter.state(at).legal_actions()) == sorted(state.legal_actions())


@pytest.mark.parametrize("name", ["chess", "go(board_size=3)", "backgammon", "oware", "connect_four"])
def test_games_that_are_too_large_run_out_of_budget(name):
    answer = foregone.solve(load(name), nodes=300)
    assert not answer.solved and answer.stop == "nodes"


def test_positions_drawings_and_moves_are_those_of_openspiel():
    game = load("tic_tac_toe")
    position = game.start().play("x(1_1)").play("o(0_0)")
    assert str(position) == "o..\n.x.\n..."
    assert position.text == "moves:x(1_1),o(0_0)" and position.to_move == "player0"
    assert foregone.solve(game, position="moves:x(1_1),o(0_1)").number == 1
    hexes = load("hex(board_size=3)").start()
    assert hexes.moves[:4] == ["a1", "b1", "c1", "a2"]
    assert foregone.solve(hexes.play("b2")).number == 1


def test_everything_else_takes_them_too(tmp_path):
    name = "connect_four(rows=3,columns=3,x_in_row=3)"
    compared = foregone.compare(load(name), schemes=["pn", "pp"], drivers=["dag", "df"])
    assert len(compared.rows) == 4 and not compared.contradictions
    assert foregone.match(load("tic_tac_toe"), "dag pn", "random", games=4).losses == 0
    play = foregone.play(load("nim(pile_sizes=1;2;3)"), "dag pn")
    assert play.reply() in play.position.game.start().moves
    assert foregone.check(load("tic_tac_toe"), "omega(3)").holds is False
    built = foregone.table.build(load("nim(pile_sizes=1;2)"), dir=tmp_path)
    assert built["complete"]
    assert foregone.table.probe(load("nim(pile_sizes=1;2)"), dir=tmp_path)["value"] == "1"
    game = load("nim(pile_sizes=1;2;3)")
    assert game.explore() == game.seen
    assert foregone.solve(game, moves=True).moves


@pytest.mark.parametrize(
    "name, why",
    [
        ("kuhn_poker", "imperfect information"),
        ("phantom_ttt", "imperfect information"),
        ("deep_sea", "imperfect information"),
        ("mfg_crowd_modelling", "mean-field"),
        ("stones_and_gems", "sampled"),
        ("markov_soccer", "chance besides moves at the same time"),
        ("goofspiel(num_cards=3)", "chance besides moves at the same time"),
        ("matching_pennies_3p", "3 players move at the same time"),
        ("pathfinding", "1 players move at the same time"),
        ("matrix_pd", "general sum"),
        ("yacht(players=10)", "outcomes"),
    ],
)
def test_games_that_do_not_fit_are_refused_by_name(name, why):
    with pytest.raises(foregone.Error, match=why) as caught:
        load(name)
    assert name.split("(")[0] in str(caught.value)


def test_wrong_words_are_told():
    with pytest.raises(pyspiel.SpielError, match="tic_tac_tow"):
        load("tic_tac_tow")
    with pytest.raises(TypeError, match="pyspiel.Game"):
        load(7)
    with pytest.raises(ValueError, match="expected 'history'"):
        load("tic_tac_toe", key="strings")
    with pytest.raises(ValueError, match="payoff_of"):
        load("tic_tac_toe", payoff_of=0)
    with pytest.raises(ValueError, match="unit"):
        load("tic_tac_toe", unit=0)
    with pytest.raises(ValueError, match="outcomes"):
        load("tic_tac_toe", outcomes="all")


def test_one_player_of_a_matrix_may_be_asked():
    # Who betrays can be sure of 1, and the other one likewise.
    for player in (0, 1):
        assert foregone.solve(load("matrix_pd", payoff_of=player)).number == 1
    matrix = pyspiel.load_matrix_game("matrix_bos")
    for player, table in enumerate((matrix.row_utilities(), matrix.col_utilities())):
        rows = [[int(cell) for cell in row] for row in table]
        own = rows if player == 0 else [list(column) for column in zip(*rows)]
        answer = foregone.solve(load(matrix, payoff_of=player), proof=True)
        assert answer.number == foregone.nash(own).value
        fresh = load("matrix_bos", payoff_of=player)
        assert answer.proof.checked and fresh.name == load(matrix, payoff_of=player).name


class Tree(pyspiel.Game):
    """A game of Python: a tree of tuples. ("name", player or chance, [(move, tree), …]), or a list of returns."""

    def __init__(self, tree, players=2, utility="ZERO_SUM", bounds=(-1, 1), drawing=None, total=0.0):
        of = pyspiel.GameType
        kind = of(
            short_name="tree",
            long_name="Tree",
            dynamics=of.Dynamics.SEQUENTIAL,
            chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC if tree[0] == "chance" else of.ChanceMode.DETERMINISTIC,
            information=of.Information.PERFECT_INFORMATION,
            utility=getattr(of.Utility, utility),
            reward_model=of.RewardModel.TERMINAL,
            max_num_players=players,
            min_num_players=players,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
        )
        low, high = bounds
        super().__init__(kind, pyspiel.GameInfo(9, 9, players, low, high, total, 9), {})
        self.tree, self.drawing = tree, drawing

    def new_initial_state(self, state=None):
        return Branch(self)


class Branch(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.at, self.drawing = game.tree, game.drawing

    def current_player(self):
        if isinstance(self.at, list):
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.at[0] == "chance" else self.at[0]

    def is_terminal(self):
        return isinstance(self.at, list)

    def _legal_actions(self, player):
        return list(range(len(self.at[1])))

    def chance_outcomes(self):
        return [(at, weight) for at, (weight, _) in enumerate(self.at[1])]

    def _apply_action(self, action):
        self.at = self.at[1][action][1]

    def _action_to_string(self, player, action):
        return str(self.at[1][action][0])

    def returns(self):
        return self.at if isinstance(self.at, list) else [0.0] * self.num_players()

    def __str__(self):
        return str(self.at) if self.drawing is None else self.drawing(self.at)


def node(player, *branches):
    return (player, [one if isinstance(one, tuple) and isinstance(one[0], str) else ("", one) for one in branches])


def test_games_that_are_written_in_python_general_sum():
    # The first one would like 3, but the second one would not go there.
    tree = node(0, ("go on", node(1, ("a", [3.0, 0.0]), ("b", [1.0, 2.0]))), ("stop", [2.0, 1.0]))
    game = load(Tree(tree, utility="GENERAL_SUM", bounds=(0, 3), total=None))
    answer = foregone.solve(game, scheme="maxn", proof=True)
    assert list(answer.scores.values()) == [2, 1] and answer.best_move == "stop"
    assert foregone.verify(answer)["status"] == "proved"


def test_three_players_go_for_their_own_scores():
    tree = node(0, node(1, node(2, [1.0, 0.0, 2.0], [0.0, 2.0, 1.0]), [0.0, 1.0, 0.0]), [0.0, 0.0, 0.0])
    game = load(Tree(tree, players=3, utility="GENERAL_SUM", bounds=(0, 2), total=None))
    answer = foregone.solve(game, scheme="maxn", proof=True)
    # The second player would rather have 1 than what the third one would leave.
    assert list(answer.scores.values()) == [0, 1, 0]


def test_moves_with_the_same_text_are_told_apart():
    tree = node(0, ("a b", [1.0, -1.0]), ("a b", [0.0, 0.0]), ("", [-1.0, 1.0]), ("c,d:e", [0.0, 0.0]))
    game = load(Tree(tree))
    assert game.start().moves == ["a_b#0", "a_b#1", "#2", "c_d_e"]
    assert foregone.solve(game).best_move == "a_b#0"


def test_fractions_are_exact_or_refused():
    assert fraction(1 / 36) == Fraction(1, 36) and fraction(1 / 6 * 1 / 6) == Fraction(1, 36)
    assert fraction(0.1 + 0.2) == Fraction(3, 10) and fraction(-0.25) == Fraction(-1, 4)
    assert fraction(2**0.5) is None and fraction(float("nan")) is None and fraction(float("inf")) is None
    thirds = ("chance", [(1 / 3, [1.0, -1.0]), (2 / 3, [0.0, 0.0])])
    assert foregone.solve(load(Tree(thirds)), proof=True).number == Fraction(1, 3)
    halves = node(0, [0.5, -0.5], [-1.0, 1.0])
    with pytest.raises(foregone.RulesError, match="unit=2"):
        foregone.solve(load(Tree(halves)))
    assert foregone.solve(load(Tree(halves), unit=2)).number == 1


@pytest.mark.parametrize(
    "tree, message",
    [
        (("chance", [(0.2**0.5, [1.0, -1.0]), (1 - 0.2**0.5, [0.0, 0.0])]), "not a fraction"),
        (("chance", [(0.5, [1.0, -1.0]), (0.25, [0.0, 0.0])]), "add up to 3/4"),
        (("chance", [(1.0, [1.0, -1.0]), (0.0, [0.0, 0.0])]), "above 0"),
        (node(0, [1.0, 1.0], [0.0, 0.0]), "add up to 0"),
        (node(0, [float("nan"), 0.0], [0.0, 0.0]), "nan"),
        (node(0, [2.0, -2.0], [0.0, 0.0]), "the outcomes are -1, 0, 1"),
        (node(-5, [0.0, 0.0]), "no player"),
        (node(0), "no move"),
        (node(7, [0.0, 0.0]), "turn"),
    ],
)
def test_odd_games_are_told(tree, message):
    with pytest.raises((foregone.RulesError, pyspiel.SpielError), match=message):
        load(Tree(tree)).explore()


def hidden(at):
    """A drawing that does not show what is behind."""
    return "over" if isinstance(at, list) else f"player {at[0]}, {len(at[1])} moves"


def test_a_key_that_does_not_tell_positions_apart_is_found_out():
    # Behind both moves there is one move of the second player, to another end.
    tree = node(0, node(1, [1.0, -1.0], [1.0, -1.0]), node(1, [-1.0, 1.0], [-1.0, 1.0], [0.0, 0.0]))
    shown = Tree(tree, drawing=lambda at: "over" if isinstance(at, list) else f"player {at[0]}")
    assert foregone.solve(load(shown), driver="dfs").number == 1
    with pytest.raises(foregone.RulesError, match="same key, but differ.*history"):
        foregone.solve(load(shown, key="string"), scheme="minmax", driver="tree")


def test_a_key_that_forgets_what_comes_later_is_found_out_by_playing_on():
    def deep(end):
        return node(1, node(0, node(1, [end, -end])))

    # Many moves that lead to what looks the same, and some of them differ only three moves later.
    ends = [1.0 if at % 3 else -1.0 for at in range(80)]
    shown = Tree(node(0, *[(str(at), deep(end)) for at, end in enumerate(ends)]), drawing=hidden)
    assert foregone.solve(load(shown)).number == 1
    with pytest.raises(foregone.RulesError, match="same key"):
        load(shown, key="string").explore()


def test_a_key_of_ones_own():
    def stones(state):
        return sorted(enumerate(str(state)), key=lambda pair: pair[1])

    game = load("tic_tac_toe", key=stones)
    answer = foregone.solve(game, proof=True)
    assert answer.number == 0 and "stones" in answer.game
    with pytest.raises(foregone.RulesError, match="same key"):
        foregone.solve(load("tic_tac_toe", key=lambda state: len(state.history())))


def test_a_version_that_nobody_read_merges_nothing(monkeypatch):
    monkeypatch.setattr(pyspiel, "__version__", "9.1")
    with pytest.warns(UserWarning, match="9.1"):
        assert load("tic_tac_toe").name.endswith("@history")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load("chess").name.endswith("@history")


def test_long_ranges_of_outcomes_are_named_or_looked_for():
    tree = node(0, [70000.0, -70000.0], [3.0, -3.0])
    with pytest.raises(foregone.Error, match="outcomes='find'"):
        load(Tree(tree, bounds=(-1e6, 1e6)))
    assert foregone.solve(load(Tree(tree, bounds=(-1e6, 1e6)), outcomes="find")).number == 70000
    assert foregone.solve(load(Tree(tree, bounds=(-1e6, 1e6)), outcomes=[3, 70000])).number == 70000


# Games of here in OpenSpiel.

foregone.openspiel.register()


def there(spec, **options):
    return pyspiel.load_game("foregone", {"game": spec, **options})


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", "nim:1,2,3", "connect-four:4x4", "pig:6", "goofspiel:3", "hex:3", "domineering-three:2x2x2"]
)
def test_foregones_games_pass_openspiels_own_check(spec):
    pyspiel.random_sim_test(there(spec), num_sims=1, serialize="," not in spec, verbose=False)


def test_a_name_is_enough():
    state = pyspiel.load_game("foregone(game=tic-tac-toe)").new_initial_state()
    state.apply_action(state.string_to_action("b2"))
    other = state.child(state.legal_actions()[0])
    assert (state.history(), other.history()[0]) == ([4], 4)
    assert state.current_player() == 1 and len(state.legal_actions()) == 8
    assert [state.action_to_string(a) for a in state.legal_actions()][:2] == ["a1", "b1"]
    assert other.player_return(0) == 0 and not other.is_terminal()
    assert "o to move" in str(state) and state.observation_string(0) == ".../.x./... o"


def test_openspiels_algorithms_find_foregones_values():
    for spec in ("tic-tac-toe", "nim:1,2,3", "hex:3"):
        value, _ = minimax.alpha_beta_search(there(spec))
        known = foregone.solve(spec).value
        assert value == {"loss": -1, "draw": 0, "win": 1}[known]


def test_openspiels_value_iteration_finds_foregones_values():
    pytest.importorskip("cvxpy", reason="SKIPPED: OpenSpiel's value iteration needs the package cvxpy")
    from open_spiel.python.algorithms import value_iteration

    for spec in ("nim:1,2,3", "tic-tac-toe"):
        game = there(spec)
        values = value_iteration.value_iteration(game, -1, 1e-9, cyclic_game=True)
        answer = foregone.solve(spec)
        known = {"loss": -1, "draw": 0, "win": 1}.get(answer.value, answer.number)
        assert values[str(game.new_initial_state())] == pytest.approx(float(known))


def test_openspiels_bots_play_foregones_games():
    game = there("tic-tac-toe")
    chooser = __import__("numpy").random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chooser)
    bot = mcts.MCTSBot(game, 2.0, 60, evaluator, random_state=chooser, solve=True)
    state = game.new_initial_state()
    for move in ("a1", "b1", "a2", "b2"):
        state.apply_action(state.string_to_action(move))
    assert state.action_to_string(bot.step(state)) == "a3"


def test_a_game_of_ones_own_in_openspiel(nim):
    game = foregone.openspiel.as_spiel(nim(1, 2, 3))
    assert minimax.alpha_beta_search(game)[0] == -1
    assert game.num_distinct_actions() == len(game.board.move_texts)


def test_scores_and_one_player_in_openspiel():
    three = there("domineering-three:2x2x2").new_initial_state()
    while not three.is_terminal():
        three.apply_action(three.legal_actions()[0])
    assert len(three.returns()) == 3


def test_a_play_that_is_too_long_is_over():
    state = there("tic-tac-toe", max_length=3).new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0, 0]


def test_round_trip():
    game = load(there("nim:1,2,3"))
    assert game.name.endswith("@history")
    assert foregone.solve(game, proof=True).number == -1
