"""The Python of README.md and of the chapters in docs/ is true."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "bindings/python/README.md"]
# What pages need besides the package itself.
NEEDS = {"openspiel.md": ("pyspiel", "pettingzoo")}
WITH_PYTHON = [page for page in PAGES if "```python" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_what_a_page_shows_is_so(page, tmp_path, monkeypatch):
    for package in NEEDS.get(page.name, ()):
        pytest.importorskip(package, reason=f"SKIPPED: {page.name} needs {package}")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    session = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S))
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    told = []
    runner.run(test, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


def test_the_book_has_python():
    assert {page.name for page in WITH_PYTHON} >= {"README.md", "python.md"}


def test_the_example_is_the_one_of_the_book():
    book = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    shown = [line[4:] for line in re.findall(r"^(?:>>>|\.\.\.) ?.*$", book, re.M)]
    example = (ROOT / "bindings/python/examples/chomp.py").read_text(encoding="utf-8")
    code = [re.sub(r"(: int|: Any| -> None)", "", line) for line in example.splitlines()]
    start, end = code.index("class Chomp:"), next(at for at, l in enumerate(code) if "def outcome" in l)
    assert all(line in shown for line in code[start:end])


def test_examples_run(tmp_path, monkeypatch):
    import runpy

    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "bindings/python/examples/chomp.py"), run_name="__main__")
    assert (tmp_path / "chomp.txt").read_text().startswith("foregone certificate")


@pytest.mark.parametrize(
    "name, package, word",
    [("openspiel_games", "pyspiel", "cols=4): 0, proved"), ("perfect_opponent", "pettingzoo", "drawn")],
)
def test_examples_with_other_packages_run(name, package, word, capsys):
    import runpy

    pytest.importorskip(package, reason=f"SKIPPED: the example {name} needs {package}")
    runpy.run_path(str(ROOT / f"bindings/python/examples/{name}.py"), run_name="__main__")
    assert word in capsys.readouterr().out
