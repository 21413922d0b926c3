"""The notebooks run from top to bottom in a kernel of IPython, and what they show is as it should be."""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import foregone
import pytest

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
#: What nothing closes.
VOID = {"br", "img", "hr", "input", "meta", "link"}

# How many pictures, tables and trees each notebook shows, at least.
SHOWN = {
    "chess-problems": {"svg": 5, "table": 4, "tree": 3},
    "study": {"svg": 1, "table": 3, "tree": 0, "png": 1},
    "tour": {"svg": 10, "table": 12, "tree": 4},
}


@pytest.fixture(scope="module", params=NAMES)
def ran(request, tmp_path_factory):
    """A notebook, and what its cells put out: pairs of a kind and a text."""
    reason = "the notebooks need what `pip install ./bindings/python[notebooks]` installs"
    for module in ("nbclient", "nbformat", "ipykernel", "pandas", "matplotlib"):
        pytest.importorskip(module, reason=f"{reason}: there is no {module}")
    import nbclient
    import nbformat

    book = nbformat.read(FOLDER / f"{request.param}.ipynb", as_version=4)
    folder = str(tmp_path_factory.mktemp("notebook"))
    client = nbclient.NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}
    )
    client.execute()  # raises what a cell raises
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    return request.param, outputs


def shown(outputs, kind):
    """All that was shown of one MIME type."""
    return [output["data"][kind] for output in outputs if kind in output.get("data", {})]


class Page(HTMLParser):
    """Reads HTML and says what is wrong with it."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.faults, self.tags = [], [], [], Counter()

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        self.ids += [value for name, value in attributes if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    @classmethod
    def read(cls, text):
        page = cls()
        page.feed(text)
        page.close()
        page.faults += page.open
        return page


def test_there_are_three():
    assert NAMES == sorted(SHOWN)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_stored_without_outputs(name):
    book = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert code and all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert not any(cell["metadata"] for cell in book["cells"])  # no tag lets a cell raise
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids)


def test_they_run_and_say_nothing_on_standard_error(ran):
    name, outputs = ran
    assert outputs
    for output in outputs:
        assert output["output_type"] != "error"
        assert output.get("name") != "stderr", output["text"]


def test_pictures_tables_and_trees_are_shown(ran):
    name, outputs = ran
    pages = shown(outputs, "text/html")
    found = {
        "svg": len(shown(outputs, "image/svg+xml")),
        "png": len(shown(outputs, "image/png")),
        "table": sum("<table" in page for page in pages),
        "tree": sum("<details" in page and "<summary" in page for page in pages),
    }
    for kind, least in SHOWN[name].items():
        assert found[kind] >= least, (kind, found)
    for picture in shown(outputs, "image/svg+xml"):
        assert picture.startswith("<svg") and picture.rstrip().endswith("</svg>")


def test_html_is_whole_and_ids_do_not_clash(ran):
    name, outputs = ran
    pages = [Page.read(text) for text in shown(outputs, "text/html")]
    assert [page.faults for page in pages if page.faults] == []
    ids = Counter(one for page in pages for one in page.ids)
    assert [one for one, often in ids.items() if often > 1] == []


def test_what_games_say_is_escaped():
    class Rude:
        """A game whose words are HTML."""

        outcomes = ("loss", "win")
        players = ("<b>", "&amp;")
        name = "rude"

        def start(self):
            return 3

        def turn(self, state):
            return (3 - state) % 2 if state else None

        def moves(self, state):
            return [1, 2] if state > 1 else [1]

        def play(self, state, move):
            return state - move

        def outcome(self, state):
            return "win"

        def move_text(self, move):
            return f"<script>{move}"

        def draw(self, state):
            return f"<img src=x onerror={state}>"

    answer = foregone.solve(Rude(), moves=True, tree=True)
    told = [answer._repr_html_(), answer.proof._repr_html_(), foregone.Game(Rude())._repr_svg_()]
    for text in told:
        assert Page.read(text).faults == []
        assert not re.search(r"<(script|img|b)\b", text)
    assert "&lt;script&gt;1" in told[0] and "&lt;script&gt;1" in told[1] and "&lt;img" in told[2]


def test_a_large_tree_is_cut_and_says_so():
    proof = foregone.solve("domineering:5x5", knowledge=False, symmetry=False, tree=True).proof
    assert proof.claims > 5000
    page = Page.read(proof._repr_html_())
    assert page.faults == [] and 100 < page.tags["div"] < 3000
    assert "claims are not shown" in proof._repr_html_()
    small = foregone.solve("tic-tac-toe", position="moves:a1,a2", tree=True).proof
    assert "not shown" not in small._repr_html_()


def test_a_tree_has_a_heading_for_each_half():
    draw = foregone.solve("tic-tac-toe", position="xox/oxx/o.. o", tree=True).proof._repr_html_()
    assert draw.count("<strong>") == 2 and "x reaches at least draw:" in draw
    win = foregone.solve("tic-tac-toe", position="xo./.x./..o x", tree=True).proof._repr_html_()
    assert win.count("<strong>") == 1 and "<strong>x wins:</strong>" in win
    assert "<summary>a1</summary>" in win and "b1, c2, c3: a2 ." in win
    assert "<details" not in foregone.solve("tic-tac-toe").proof._repr_html_()


def rows(answer):
    """The cells of all tables of an answer, row by row."""
    text = re.sub(r"<svg.*?</svg>", "", answer._repr_html_(), flags=re.S)
    lines = re.findall(r"<tr>(.*?)</tr>", text, re.S)
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", line, re.S) for line in lines]


def test_answers_of_all_kinds_are_tables():
    answer = foregone.solve("tic-tac-toe", position="moves:a1", moves=True)
    told = rows(answer)
    assert ["best move", "b2"] in told and ["move", "value for x", "best", "distance"] in told
    assert ["b2", "draw", "yes", "?"] in told and ["b1", "win", "no", "6"] in told
    assert not any(row[0] == "moves" for row in told) and "o to move: a draw." in answer._repr_html_()
    stopped = foregone.solve("connect-four:6x7", nodes="1k")._repr_html_()
    assert "undecided, between loss and win" in stopped
    told = dict(rows(foregone.solve("rock-paper-scissors")))
    assert told["Max plays"] == "rock: 1/3, paper: 1/3, scissors: 1/3"
    assert foregone.solve("pig:10").value in foregone.solve("pig:10")._repr_html_()
    assert any("search" == row[0] for row in rows(foregone.solve("domineering-three:2x2x2", scheme="maxn")))
    assert dict(rows(foregone.check("tic-tac-toe", "omega(3)", position="moves:b2,a2")))["line"]


def test_problems_are_told_as_problemists_write_them():
    position = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
    options = {"all": True, "tries": True, "set_play": True, "tree": True, "proof": True}
    answer = foregone.check("chess", "#2", position=position, figurine=True, **options)
    assert answer.problem.startswith("set play:\n") and "\nsolution:\n  1.♖a6! zugzwang\n" in answer.problem
    assert "    but 1...a6!" in answer.problem and str(answer).endswith(answer.problem)
    assert ["key", "♖a6"] in rows(answer)
    page = answer._repr_html_()
    assert "<summary>1.♖a6! zugzwang</summary>" in page and "<strong>tries:</strong>" in page
    assert foregone.verify(answer)["status"] == "proved"
    plain = foregone.check("chess", "#2", position=position, notation="long")
    assert plain.problem is None and ["line", "Ra1-a6 b7xa6 b6-b7#"] in rows(plain)
    helpmate = foregone.check("chess", "h#2", position="4R3/8/8/8/1b2K3/8/8/6k1 b - - 0 1", all=True)
    assert ["lines", "1.Bd6 Kf3 2.Bh2 Re1#<br>1.Kh2 Kf3 2.Kh3 Rh8#"] in rows(helpmate)


def test_comparisons_and_matrices_are_tables():
    compared = foregone.compare(["nim:1,2", "hex:2"], ["pn"], ["dag", "df"])
    assert "<svg" in compared._repr_html_()
    assert rows(compared)[0] == ["game", "search", "value", "nodes", "expansions", "seconds"]
    assert rows(compared)[1][:4] == ["nim:1,2", "pn + dag", "win", f"{compared.rows[0]['nodes']['value']:.0f}"]
    several = foregone.compare("nim:1,2", ["pn"], ["dag"], position=["1,2 first", "1,1 first"])
    assert [row[1] for row in rows(several)] == ["position", "1,2 first", "1,1 first"]
    stopped = rows(foregone.compare("connect-four:6x7", ["pn"], ["dag"], nodes="1k"))[1]
    assert stopped[2] == "loss to win" and stopped[3].startswith("&gt; 1,0")
    many = foregone.compare([f"race:{n},3" for n in range(4, 46)], ["pn"], ["dag"])
    assert "… and 2 more searches" in many._repr_html_() and len(rows(many)) == 41
    left_out = foregone.compare("nim:1,2", ["pn", "mcts"], ["df"])
    assert "left out: mcts + df" in left_out._repr_html_()
    assert rows(foregone.nash([[1, -1], [-1, 0]]))[1] == ["rows", "1/3", "2/3"]
