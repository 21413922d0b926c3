"""Every function, on games that are built in."""

import json
import subprocess
import sys
from fractions import Fraction

import foregone
import pytest


def program(*words):
    done = subprocess.run(
        [sys.executable, "-m", "foregone", *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def steady(data):
    """What does not differ from run to run."""
    return {k: v for k, v in data.items() if k not in ("seconds", "peak_bytes")}


@pytest.mark.parametrize(
    "game, options, words",
    [
        ("connect-four:4x4", {"question": "win", "scheme": "pn", "driver": "df"}, None),
        ("domineering:4x4", {"moves": True, "knowledge": False}, ["--moves", "--no-knowledge"]),
        ("pig:10", {}, None),
        ("goofspiel:3", {"scheme": "smab"}, None),
        ("domineering-three:2x2x2", {"scheme": "maxn"}, None),
        ("tic-tac-toe", {"position": "moves:a1,b2", "nodes": 100}, None),
    ],
)
def test_answers_are_those_of_the_program(game, options, words):
    words = words or [f"--{name}={value}" for name, value in options.items()]
    code, out, _ = program("solve", game, *words, "--json")
    answer = foregone.solve(game, **options)
    assert steady(answer.to_dict()) == steady(json.loads(out))
    assert (code == 0) == answer.solved


def test_an_answer_has_all_that_was_found(tmp_path):
    path = tmp_path / "proof.txt"
    answer = foregone.solve("domineering:4x4", moves=True, proof=path, knowledge=False)
    assert (answer.value, answer.winner, answer.status) == ("win", "vertical", "solved")
    assert answer.bounds == ("win", "win") and answer.best_move == answer.line[0]
    assert {move["move"] for move in answer.moves} >= {answer.best_move}
    assert answer.proof.file == str(path) and path.read_text() == answer.proof.text
    assert foregone.verify(path, strict=True)["status"] == "proved"
    assert answer["driver"] and "line" in answer and answer.seconds >= 0 and answer.expansions
    assert foregone.solve("domineering:4x4").job.startswith("domineering:4x4")


def test_a_budget_that_runs_out_is_an_answer():
    answer = foregone.solve("connect-four:6x7", nodes="1k")
    assert (answer.status, answer.stop, answer.value) == ("undecided", "nodes", None)
    assert answer.bounds == ("loss", "win")
    assert foregone.solve("connect-four:6x7", time="50ms").stop == "time"
    assert foregone.solve("connect-four:6x7", time=0.05).stop == "time"
    assert foregone.solve("connect-four:6x7", scheme="pn", driver="dag", memory="1M").stop == "memory"


@pytest.mark.parametrize(
    "call, name, word, help",
    [
        (lambda: foregone.solve("tic-tac-tow"), "game", "tic-tac-tow", "tic-tac-toe"),
        (lambda: foregone.solve("hex:99"), "game", "99", None),
        (lambda: foregone.solve("hex", scheme="pm"), "scheme", "pm", "pn"),
        (lambda: foregone.solve("hex", driver="dagg"), "driver", "dagg", "dag"),
        (lambda: foregone.solve("hex", question="wim"), "question", "wim", "win"),
        (lambda: foregone.solve("hex", time="soon"), "time", "soon", None),
        (lambda: foregone.solve("hex", memory="2 pounds"), "memory", "2 pounds", None),
        (lambda: foregone.solve("hex", shceme="pn"), "options", "shceme", "scheme"),
        (lambda: foregone.solve("tic-tac-toe", position="moves:a1,a9"), "position", "a9", None),
        (lambda: foregone.check("chess", "omega(3"), "formula", None, None),
        (lambda: foregone.compare("nim", schemes=["pm"]), "scheme", "pm", "pn"),
    ],
)
def test_errors_name_the_word_the_place_and_the_nearest_word(call, name, word, help):
    with pytest.raises(foregone.Error) as caught:
        call()
    error = caught.value
    assert isinstance(error, ValueError) and error.kind == "input"
    assert error.place["name"] == name
    assert word is None or error.place["word"] == word
    assert help is None or help in error.help
    assert error.message in str(error)


def test_a_forged_proof_is_refused_with_its_line():
    text = foregone.solve("domineering:4x4", proof=True, knowledge=False).proof.text
    lines = text.splitlines(keepends=True)
    lines[6] = "! a1a2\n"
    with pytest.raises(foregone.ProofError) as caught:
        foregone.verify("".join(lines))
    assert caught.value.kind == "proof" and caught.value.line == 8
    with pytest.raises(foregone.ProofError):
        foregone.verify("foregone certificate 2\n")


def test_formulas():
    answer = foregone.check("tic-tac-toe", "omega(1)", position="moves:a1,b1,a2,b2", proof=True)
    assert answer.holds is True and answer.line == ["a3"] and answer.proof.proved
    assert foregone.check("tic-tac-toe", "mine", define="def mine = w;").holds is False
    mate = foregone.check("chess", "#1", position="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", all=True)
    assert mate.keys == ["a1a8"]


def test_matrices_of_all_kinds():
    numpy = pytest.importorskip("numpy")
    value = Fraction(-1, 3)
    for matrix in (
        [[1, -1], [-1, 0]],
        [[Fraction(1), -1], [Fraction(-2, 2), 0]],
        numpy.array([[1, -1], [-1, 0]]),
        numpy.array([[1.0, -1.0], [-1.0, 0.0]]),
    ):
        found = foregone.nash(matrix)
        assert found.value == value and found.exact and sum(found.max) == 1
    assert foregone.nash([[Fraction(1, 3)]]).value == Fraction(1, 3)
    assert foregone.nash([[0.1]]).value == Fraction(1, 10)
    large = foregone.nash(numpy.eye(41))
    assert not large.exact and large.bounds[0] <= 1 / 41 <= large.bounds[1] + 1e-9
    with pytest.raises(foregone.Error) as caught:
        foregone.nash([[1, 2], [3]])
    assert caught.value.place["name"] == "matrix"
    with pytest.raises(foregone.Error):
        foregone.nash([["x"]])


def test_comparisons_are_frames_and_plots():
    pandas = pytest.importorskip("pandas")
    compared = foregone.compare(["nim:1,2", "hex:2"], ["pn", "pp"], ["dag"], seeds=[1, 2], plot="nodes")
    frame = compared.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 8
    assert set(frame["scheme"]) == {"pn", "pp"} and "<svg" in compared._repr_svg_()
    assert compared.to_dict()["contradictions"] == []


def test_answers_are_frames():
    pytest.importorskip("pandas")
    frame = foregone.solve("tic-tac-toe", moves=True).to_dataframe()
    assert list(frame["value"]) == ["draw"] * 9
    assert foregone.solve("tic-tac-toe").to_dataframe()["value"][0] == "draw"


def test_matches_and_plays():
    played = foregone.match("tic-tac-toe", "dag pn", "random", games=6, openings=1)
    assert (played.wins + played.draws, played.losses) == (6, 0)
    assert len(played.games) == 6 and played.score > 0.5 and played.text
    play = foregone.play("tic-tac-toe", "random", seed=3)
    play.move("b2")
    play.reply()
    assert len(play.made) == 2 and play.position.to_move == "x"
    play.undo()
    assert play.made == ["b2"] and "<svg" in play._repr_svg_()
    dice = foregone.play("pig:10")
    assert dice.chance() in [str(n) for n in range(1, 7)]


def test_rulesheets(tmp_path):
    sheet = tmp_path / "one.kif"
    sheet.write_text(
        "(role a) (role b) (init (step 0)) (legal a x) (legal a y) (legal b wait)"
        "(<= (next (step 1)) (true (step 0))) (<= (next good) (does a x))"
        "(<= terminal (true (step 1))) (<= (goal a 100) (true good)) (<= (goal a 0) (not (true good)))"
        "(<= (goal b 0) (true good)) (<= (goal b 100) (not (true good)))"
    )
    assert foregone.gdl.check(sheet)["problems"] == []
    assert foregone.solve(foregone.gdl.load(sheet)).winner == "a"
    sheet.write_text("(role a")
    with pytest.raises(foregone.Error) as caught:
        foregone.gdl.check(sheet)
    assert "one.kif" in str(caught.value) or caught.value.place


def test_rules_that_are_doubtful_are_warned_of(tmp_path):
    sheet = tmp_path / "odd.kif"
    sheet.write_text(
        "(role a) (role b) (init (step 0)) (legal a x) (legal b wait)"
        "(<= (next (step 1)) (true (step 0)))"
        "(<= terminal (true (step 1))) (goal a 100) (goal b 0) (<= (legal b ?x) (true (odd ?y)))"
    )
    with pytest.warns(UserWarning):
        try:
            foregone.Game(f"gdl:{sheet}")
        except foregone.Error:
            pass


def test_lists():
    names = [game["name"] for game in foregone.games()]
    assert "chess" in names and "tic-tac-toe" in names
    told = foregone.schemes()
    assert "pn" in dict(told["schemes"]) and "dag" in dict(told["drivers"])


def test_positions():
    game = foregone.Game("goofspiel:3")
    start = game.start()
    assert game.joint and start.joint_moves == (["3", "2", "1"], ["3", "2", "1"])
    assert start.play(("3", "1")).over is None and start.to_move is None
    chess = foregone.Game("chess").start()
    assert len(chess.moves) == 20 and chess.to_move == "white" and str(chess).count("\n") == 8
    assert len({position for position in foregone.Game("tic-tac-toe").start()}) == 9
    pig = foregone.Game("pig:10")
    assert pig.chance and pig.start().weights == [1] * 6
    assert "position" in chess.to_dict() and repr(game) == "<Game: goofspiel:3>"
    with pytest.raises(foregone.Error, match="legal"):
        foregone.Game("tic-tac-toe").start().play("b2").play("b2")


def test_pictures():
    for game in ("tic-tac-toe", "chess", "hex:3", "goofspiel:3"):
        assert foregone.Game(game)._repr_svg_().startswith("<svg")
    answer = foregone.solve("tic-tac-toe", moves=True, tree=True)
    assert answer._repr_svg_().startswith("<svg") and "<table>" in answer._repr_html_()
    assert answer.proof._repr_svg_().startswith("<svg")
    opened = answer.proof._repr_html_()
    assert opened.count("<details") == opened.count("</details>") > 10
    assert answer.proof.tree(2).strip() and "digraph" in answer.proof.to_dot()
    assert "<svg" not in foregone.solve("tic-tac-toe").proof._repr_html_()


def test_the_program_is_in_the_wheel(tmp_path):
    code, out, _ = program("solve", "nim:1,2,3")
    assert code == 0 and "second wins" in out
    code, out, err = program("solve", "nimm")
    assert code == 2 and "did you mean `nim`" in err
    code, out, _ = program("--version")
    assert code == 0 and foregone.__version__ in out
    code, _, _ = program("solve", "connect-four:6x7", "--nodes", "100")
    assert code == 1


def test_every_public_name_has_a_docstring_and_the_stub_is_whole():
    for name in foregone.__all__:
        thing = getattr(foregone, name)
        if callable(thing) or name in ("gdl", "table"):
            assert thing.__doc__, name
    import ast
    from pathlib import Path

    stub = Path(foregone.__file__).with_name("_foregone.pyi").read_text()
    told = {n.name for n in ast.parse(stub).body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    real = {n for n in dir(foregone._foregone) if not n.startswith("_")}
    assert told == real
    for cls in ("Game", "Found"):
        body = next(n for n in ast.parse(stub).body if getattr(n, "name", "") == cls).body
        methods = {n.name for n in body if isinstance(n, ast.FunctionDef)}
        assert methods == {n for n in vars(getattr(foregone._foregone, cls)) if not n.startswith("_")}


def test_types():
    mypy = pytest.importorskip("mypy.api")
    from pathlib import Path

    here = Path(__file__).resolve().parent.parent
    # By its name: a path into an environment would shadow the other packages there.
    out, err, code = mypy.run(["--config-file", str(here / "pyproject.toml"), "-p", "foregone"])
    assert code == 0, out + err
