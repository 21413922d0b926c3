"""What happens while a search runs: threads, Ctrl-C, progress, callbacks."""

import os
import signal
import subprocess
import sys
import threading
import time

import foregone
import pytest

LONG = "connect-four:6x7"


def test_four_solves_at_once():
    found = {}

    def work(name, **options):
        found[name] = foregone.solve(name, proof=True, **options).value

    games = ["tic-tac-toe", "nim:3,4,5", "domineering:4x4", "connect-four:4x4"]
    threads = [threading.Thread(target=work, args=(name,)) for name in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict(zip(games, ["draw", "win", "win", "draw"]))


def test_four_solves_at_once_of_a_game_in_python(nim):
    games = [nim(2, 3, n) for n in (1, 2, 3, 4)]
    shared = foregone.Game(nim(2, 3, 4))
    found = {}

    def work(at, game):
        found[at] = foregone.solve(game, driver=["dag", "df", "alphabeta", "dfs"][at % 4], proof=True).value

    tasks = list(enumerate(games + [shared] * 4))
    threads = [threading.Thread(target=work, args=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[at] for at in range(8)] == ["loss", "win", "win", "win"] + ["win"] * 4


def test_a_search_by_threads_asks_a_game_in_python(nim):
    for driver in ("alphabeta", "df"):
        assert foregone.solve(nim(3, 4, 5), driver=driver, threads=4, proof=True).value == "win"


def test_python_goes_on_while_a_search_runs():
    counted = 0
    thread = threading.Thread(target=lambda: foregone.solve(LONG, time=0.5))
    thread.start()
    while thread.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 20


def interrupt_after(seconds):
    def send():
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send, daemon=True).start()


def test_ctrl_c_ends_a_search_and_tells_what_was_found():
    interrupt_after(0.3)
    began = time.monotonic()
    answer = foregone.solve(LONG, scheme="pn", driver="dag", memory="1G", time=60)
    assert time.monotonic() - began < 20
    assert answer.interrupted and answer.stop == "interrupted" and answer.status == "undecided"
    assert answer.nodes > 0 and answer.bounds == ("loss", "win")
    # Nothing is left over for the next one.
    assert foregone.solve("tic-tac-toe").value == "draw"


def test_ctrl_c_ends_the_search_of_a_game_in_python():
    class Long:
        outcomes = ("loss", "win")
        endless = "impossible"

        def start(self):
            return (0, 0)

        def turn(self, s):
            return s[0] % 2 if s[0] < 60 else None

        def moves(self, s):
            return [1, 2, 3]

        def play(self, s, m):
            return (s[0] + 1, s[1] * 3 + m)

        def outcome(self, s):
            return "win" if s[1] % 7 < 3 else "loss"

    interrupt_after(0.3)
    answer = foregone.solve(Long(), scheme="pn", driver="tree", time=60)
    assert answer.interrupted and answer.stop == "interrupted"


def test_ctrl_c_ends_a_comparison():
    interrupt_after(0.3)
    compared = foregone.compare(LONG, ["pn", "pp"], ["dag"], time=30, memory="500M")
    assert compared.interrupted


def test_progress_is_told():
    events = []
    foregone.solve(LONG, time=0.6, on_progress=events.append)
    kinds = {event["event"] for event in events}
    assert {"started", "progress", "done"} <= kinds
    told = [event for event in events if event["event"] == "progress"]
    assert told[-1]["nodes"] > 0 and told[0]["bounds"] == ["loss", "win"]


def test_a_callback_that_raises_ends_the_search():
    class Own(Exception):
        pass

    def raises(event):
        if event["event"] == "progress":
            raise Own("mine")

    began = time.monotonic()
    with pytest.raises(Own, match="mine"):
        foregone.solve(LONG, time=60, memory="1G", on_progress=raises)
    assert time.monotonic() - began < 20
    assert foregone.solve("tic-tac-toe").value == "draw"


def test_bars_are_shown_where_tqdm_is(capsys):
    pytest.importorskip("tqdm")
    assert foregone.solve(LONG, time=0.5, progress=True).stop == "time"
    assert LONG in capsys.readouterr().err


def test_a_search_within_a_callback_works():
    found = []

    def asks(event):
        if event["event"] == "started":
            found.append(foregone.solve("tic-tac-toe").value)

    assert foregone.solve("nim:1,2,3", on_progress=asks).value == "loss"
    assert found == ["draw"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_the_program_tells_what_it_found_when_ctrl_c_is_pressed():
    words = [sys.executable, "-m", "foregone", "solve", LONG, "--driver", "dag", "--memory", "1G"]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    time.sleep(1.5)
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=30)
    assert run.returncode == 130 and "undecided" in out
