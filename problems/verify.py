#!/usr/bin/env python3
"""A second checker of Foregone's certificates: python3 problems/verify.py FILE [--rules FILE]
It shares nothing with the program but the format (docs/certificates.md) and the rules of the games
(GAMES and FILES below), and it believes no static knowledge but connections and sums, which it checks by itself.
Exit 0: proved; 3: rejected; 2: bad usage, or a game that it does not know."""
import collections, graphlib, hashlib, math, os, re, stat, sys
from fractions import Fraction

LONGEST_LINE, LARGEST_FILE = 1 << 22, 1 << 28  # bytes: with the newline; of a file with rules
MOST_DIGITS, MOST_BITS, FINEST, MOST_WEIGHT = 200, 65_536, 60, 1 << 53  # of exact numbers, of rounded ones
MOST_PARTS, MOST_STEPS, MOST_CALLS, DEEPEST = 100_000, 1_000_000, 500, 200  # of a formula
REPLAYED = 4096, 1 << 20  # so many lines for each line that was read, and so many, are replayed at most
WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

class Refused(Exception): """Why a certificate is refused."""
class Unusable(Exception): """Why nothing can be said: a game that is not known here, a file that is not there."""
def refuse(why): raise Refused(why)
def must(good, why): return good or refuse(why)
def shown(text, most=200):
    """A text of the certificate as it may be printed: no control characters, not too long."""
    return "".join(c if c.isprintable() else "\\u{%x}" % ord(c) for c in text[:most]) + "…" * (len(text) > most)
def whole(text, most=2**64 - 1, least=0):
    """The number that a text writes as this format does: digits, no zero in front."""
    fits = re.fullmatch("0|[1-9][0-9]*", text) and len(text) <= len(str(most)) and least <= int(text) <= most
    return int(text) if fits else refuse(f"`{shown(text)}` is not a number of {least} to {most:,}")
class Reader:
    """The lines of a file, and the checksum (FNV-1a, 64 bits) of the certificate at hand."""
    def __init__(self, file): self.file, self.line, self.last, self.sum = file, 0, b"", 0
    def next(self, first=False):
        """The next line; None where the file ends before a first line. The last one joins the sum."""
        self.sum, self.last = (0xCBF29CE484222325, b"") if first else (self.sum, self.last)
        for byte in self.last: self.sum = (self.sum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        self.last, self.line = self.file.readline(LONGEST_LINE + 1), self.line + 1
        must(len(self.last) <= LONGEST_LINE, f"the line has more than {LONGEST_LINE:,} bytes")
        must(self.last[-1:] == b"\n" or first and not self.last, "the file ends before the proof does")
        try: return self.last.decode()[:-1] if self.last else None
        except UnicodeDecodeError: raise Refused("the line is not UTF-8 text") from None
    def end(self, text, claims):
        must(text.startswith(f"end {claims} "), f"expected `end {claims} CHECKSUM`: so many claims are here")
        must(text[-17:] == f" {self.sum:016x}" and text.count(" ") == 2, "the checksum does not fit: damaged")
# A game in turn; Max is 0, Min is 1, chance is CHANCE. Moves stand in the order of the rules. read(text): a state.
# status(state): (who is to move, None), or (None, the place of the outcome). moves(state, agent): {text: state}.
# Endless play: None if there is none, "open", or the place of its outcome. Out of turn an agent in a formula moves,
# or passes. weight(state, text): how often chance makes a move. chance: whether there is any. net(state, agent): where
# players connect, the neighbours of every node by name, this agent's stones, the other's. sums: under normal play,
# turned(state, agent): with this agent to move, and split(state): the parts, each with its negative.
CHANCE = 2
Game = collections.namedtuple("Game", "players read status moves outcomes scores endless moves_off_turn weight chance net sums",
                  defaults=(("loss", "win"), None, None, False, None, False, None, None))
# At the same time. payoff(state): in units, or None. choices(state, side): {text: move}. play(state, max, min).
Joint = collections.namedtuple("Joint", "players read payoff choices play unit", defaults=(1,))
def won(game, outcome, agent):
    """By the sign of a score, or at the agent's end of the scale."""
    if game.scores: return game.scores[outcome] < 0 if agent else game.scores[outcome] > 0
    return outcome == (0 if agent else len(game.outcomes) - 1)
# ---- Boards. Cells are bits, in reading order.
def cell_name(row, column):
    return (chr(96 + column // 26) if column > 25 else "") + chr(97 + column % 26) + str(row)
def board_size(options):
    rows, _, columns = options.partition("x")
    return whole(rows, 128, 1), whole(columns, 128, 1)
def read_rows(text, players, rows, columns, symbols):
    """`ROW/ROW/… PLAYER`: the sets of the cells of all symbols but the first, and the mover."""
    board, _, player = text.rpartition(" ")
    cells = board.replace("/", "")
    fits = player in players and [len(row) for row in board.split("/")] == [columns] * rows
    must(fits and {*cells} <= {*symbols}, f"the position is not {rows} rows of {columns} and a player")
    sets = [sum(1 << i for i, c in enumerate(cells) if c == symbol) for symbol in symbols[1:]]
    return (*sets, players.index(player))
def in_line(length, rows, columns):
    """Whether stones hold so many in a row, a column or a diagonal."""
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    lines = [[(r + dr * i, c + dc * i) for i in range(length)]
             for r, c in cells for dr, dc in ((0, 1), (1, -1), (1, 0), (1, 1))]
    lines = [sum(1 << r * columns + c for r, c in line) for line in lines if {*line} <= {*cells}]
    return lambda _agent, stones: any(stones & line == line for line in lines)
def connected(size, agent, stones):
    """Whether stones connect top and bottom (Red's), or left and right (Blue's)."""
    own = {(r, c) for r in range(size) for c in range(size) if stones >> r * size + c & 1}
    found = [cell for cell in own if cell[agent] == 0]
    for r, c in found:
        found += {(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr != dc} & own - {*found}
    return any(cell[agent] == size - 1 for cell in found)
def stones_game(players, rows, columns, wins, falls=False, draws=True):
    """Stones stay where they are placed. A state: the stones of both, who is to move."""
    full, outcomes = (1 << rows * columns) - 1, ("loss", *["draw"] * draws, "win")
    cells = [(r, c, 1 << r * columns + c) for r in range(rows) for c in range(columns)]
    names = [(cell_name(rows - r if draws else r + 1, c), cell) for r, c, cell in cells]
    if draws and not falls: names.sort(key=lambda name: (int(name[0][1:]), name[0]))  # the lowest row first
    def read(text):
        state = first, second, mover = read_rows(text, players, rows, columns, ".xo")
        ahead, taken = bin(first).count("1") - bin(second).count("1"), first | second
        fits = (ahead == mover or not draws) and not (falls and taken << columns & full & ~taken)
        must(fits and not wins(mover, state[mover]), "a stone hangs, or is too many, or who is to move has won")
        return state
    def status(state):
        last = 1 - state[2]  # nobody else can have won
        if wins(last, state[last]): return None, 0 if last else len(outcomes) - 1
        return (None, 1) if state[0] | state[1] == full else (state[2], None)
    def moves(state, agent):
        first, second, _ = state
        free = [(name, cell) for name, cell in names if not cell & (first | second)]
        if falls:  # by the column, to its lowest free cell: the last one in reading order
            free = {str((cell.bit_length() - 1) % columns + 1): cell for _, cell in free}.items()
        return {n: (first, second | cell, 0) if agent else (first | cell, second, 1) for n, cell in free}
    return Game(players, read, status, moves, outcomes, moves_off_turn=True)
def tic_tac_toe(_options): return stones_game(("x", "o"), 3, 3, in_line(3, 3, 3))
def connect_four(options):
    rows, columns = board_size(options)
    must(max((rows + 1) * columns, 2 * rows + 5) <= 128, "the board is too large")
    return stones_game(("red", "yellow"), rows, columns, in_line(4, rows, columns), falls=True)
def hex_game(options):
    size = whole(options, 11, 1)
    names = {(r, c): cell_name(r + 1, c) for r in range(size) for c in range(size)}
    def net(state, agent):
        near = {name: {names[r + dr, c + dc] for dr in (-1, 0, 1) for dc in (-1, 0, 1)
                       if dr != dc and (r + dr, c + dc) in names} for (r, c), name in names.items()}
        for terminal, line in (("@1", 0), ("@2", size - 1)):
            near[terminal] = {name for cell, name in names.items() if cell[agent] == line}
            for name in near[terminal]: near[name].add(terminal)
        return near, *({name for i, name in enumerate(names.values()) if state[who] >> i & 1} for who in (agent, 1 - agent))
    game = stones_game(("red", "blue"), size, size, lambda *of: connected(size, *of), draws=False)
    return game._replace(net=net)
def domineering(options):
    """Vertical, who moves first, and Horizontal place dominoes; who cannot move loses."""
    players, (rows, columns), dominoes = ("vertical", "horizontal"), board_size(options), ([], [])
    must(rows * columns <= 128, "the board has more than 128 cells")
    for r, c in ((r, c) for r in reversed(range(rows)) for c in range(columns)):
        name, cell = cell_name(rows - r, c), 1 << r * columns + c
        if r > 0: dominoes[0].append((name + cell_name(rows - r + 1, c), cell | cell >> columns))
        if c + 1 < columns: dominoes[1].append((name + cell_name(rows - r, c + 1), cell | cell << 1))
    moves = lambda state, agent: {
        name: (state[0] | cells, 1 - agent) for name, cells in dominoes[agent] if not cells & state[0]}
    def split(state):
        """The regions of free cells, as the least of their mirror images; turned by a quarter they are negatives."""
        free = {(i // columns, i % columns) for i in range(rows * columns) if not state[0] >> i & 1}
        while free:
            found = [free.pop()]
            for r, c in found:
                beside = free & {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
                free -= beside
                found += beside
            if len(found) > 1: yield least_image(found), least_image([(c, r) for r, c in found])
    return Game(players, lambda text: read_rows(text, players, rows, columns, ".#"),
                lambda state: (state[1], None) if moves(state, state[1]) else (None, state[1]), moves,
                sums=(lambda state, agent: (state[0], agent), split))
def least_image(cells):
    images = [sorted((a * r, b * c) for r, c in cells) for a in (1, -1) for b in (1, -1)]
    corner = lambda image: (min(r for r, _ in image), min(c for _, c in image))
    return min(tuple((r - top, c - left) for r, c in image) for image in images for top, left in [corner(image)])
def nim(options):
    """Take any number from one heap; who cannot move loses. A state: the heaps, the mover."""
    players, heaps_of = ("first", "second"), lambda text: tuple(whole(word, 255) for word in text.split(","))
    count = len(heaps_of(options))
    must(count <= 14, "there are more than 14 heaps")
    def read(text):
        heaps, _, player = text.rpartition(" ")
        must(heaps.count(",") + 1 == count and player in players, f"the position is not {count} heaps …")
        return heaps_of(heaps), players.index(player)
    moves = lambda state, agent: {f"{i + 1}-{n}": ((*state[0][:i], heap - n, *state[0][i + 1:]), 1 - agent)
                                  for i, heap in enumerate(state[0]) for n in range(1, heap + 1)}
    return Game(players, read, lambda s: (s[1], None) if any(s[0]) else (None, s[1]), moves,
                sums=(lambda state, agent: (state[0], agent), lambda state: [(n, n) for n in state[0] if n]))
# ---- Values as games. A value is (0, n, k) for n/2^k, (1, n) for a heap of n, or (2, options of Left, options of Right).
# Options stand in the order of these.
NOTHING, LARGEST_HEAP, MOST_FACT_PARTS = (0, 0, 0), 1023, 100
def simplest(n, k):
    while k and n % 2 == 0: n, k = n // 2, k - 1
    return 0, n, k
def read_value(text):
    """The value that a text writes; nobody writes a number that is not in lowest terms."""
    def read(at, depth):
        if text[at:at + 1] == "{":
            must(depth <= 100, "a value has over 100 braces inside each other")
            sides, at = [], at + 1
            for end in "|}":
                side, sign = set(), text[at:at + 1]
                at += sign == end
                while sign != end:
                    value, at = read(at, depth + 1)
                    side.add(value)
                    sign, at = text[at:at + 1], at + 1
                    must(sign in (end, ",") and sign, f"`{shown(text)}` is not a value")
                sides.append(tuple(sorted(side)))
            return ((2, *sides) if any(sides) else NOTHING), at
        found = re.compile("([*])([1-9][0-9]{1,3}|[2-9])?|(-?)(0|[1-9][0-9]{0,12})(?:/([1-9][0-9]{0,12}))?", re.A).match(text, at)
        must(found, f"`{shown(text)}` is not a value")
        if found[1]: return (1, whole(found[2] or "1", LARGEST_HEAP, 1)), found.end()
        n, below = int(found[3] + found[4]), int(found[5] or "1")
        k = below.bit_length() - 1
        fits = below == 1 << k and (0, n, k) == simplest(n, k) and not (found[3] and n == 0) and found[5] != "1"
        must(fits and abs(n) < 1 << 40 and k < 40, f"`{shown(found[0])}` is not a number in lowest terms, or too large")
        return (0, n, k), found.end()
    value, end = read(0, 1)
    must(end == len(text), f"`{shown(text)}` is not a value")
    return value
def options_of(value, agent):
    if value[0] == 2: return value[1 + agent]
    if value[0] == 1: return (NOTHING, *((1, n) for n in range(1, value[1])))
    _, n, k = value
    if k: return (simplest(n - 1 + 2 * agent, k),)
    return ((0, n - 1, 0),) if n > 0 and agent == 0 else ((0, n + 1, 0),) if n < 0 and agent else ()
def negated(value):
    if value[0] == 2: return 2, *(tuple(sorted(map(negated, value[side]))) for side in (2, 1))
    return (0, -value[1], value[2]) if value[0] == 0 else value
def written(value):
    if value[0] == 2: return "{%s|%s}" % tuple(",".join(map(written, side)) for side in value[1:])
    if value[0] == 1: return "*" if value[1] == 1 else f"*{value[1]}"
    return str(Fraction(value[1], 1 << value[2]))
def value_game(options):
    """Move to an option of the value, by its number; who cannot move loses. A state: the value, the mover."""
    players, _ = ("left", "right"), read_value(options)
    def read(text):
        value, _, player = text.rpartition(" ")
        must(player in players and written(read_value(value)) == value, "the position is not a value and a player")
        return read_value(value), players.index(player)
    moves = lambda state, agent: {str(i + 1): (v, 1 - agent) for i, v in enumerate(options_of(state[0], agent))}
    split = lambda state: [(state[0], negated(state[0]))] if state[0] != NOTHING else []
    return Game(players, read, lambda s: (s[1], None) if moves(s, s[1]) else (None, s[1]), moves,
                sums=(lambda state, agent: (state[0], agent), split))
def sum_of(names, games):
    """Move in one of the games, which are under normal play. A state: what is left of each or None, the mover."""
    must(len(games) <= 200 and all(game.sums for game in games), "a sum has up to 200 games under normal play")
    players, home = ("left", "right"), [names.index(name) for name in names]
    def read(text):
        parts, _, player = text.rpartition(" ")
        parts = parts.split(" + ")
        must(len(parts) == len(games) and player in players, f"the position is not {len(games)} positions and a player")
        inner = lambda game, text: None if text == "-" else game.read(f"{text} {game.players[0]}")
        return tuple(map(inner, games, parts)), players.index(player)
    def moves(state, agent):
        left = ((i, game, s) for i, (game, s) in enumerate(zip(games, state[0])) if s is not None)
        return {f"{i + 1}.{name}": ((*state[0][:i], game.sums[0](after, 0), *state[0][i + 1:]), 1 - agent)
                for i, game, s in left for name, after in game.moves(game.sums[0](s, agent), agent).items()}
    split = lambda state: [((i, part), (i, negative)) for i, game, s in zip(home, games, state[0]) if s is not None
                           for part, negative in game.sums[1](s)]
    return Game(players, read, lambda s: (s[1], None) if moves(s, s[1]) else (None, s[1]), moves,
                sums=(lambda state, agent: (state[0], agent), split))
# ---- Games that stand in files.
TAKEN = "-> - start or-endless stays 1st 2nd".split()
def code_lines(text, form):
    """The words of each line that has some, without comments; it must have one of the forms."""
    for line in text.split("\n"):
        words = [word for word in re.split(f"[{WHITE}]", line.split("#")[0]) if word]
        must(re.fullmatch(form, " ".join(words)), f"the rules have a wrong line: {shown(' '.join(words))}")
        if words: yield words
def has_cycle(successors):
    try: return bool(graphlib.TopologicalSorter(successors).prepare())
    except graphlib.CycleError: return True
def usable(name): return not re.search(r"[,;:#=@!?<>\[\]()|&]", name) and name.isprintable() and name not in TAKEN
def one_of(names): return lambda text: text if text in names else refuse(f"there is no state `{shown(text)}`")
def explicit(text):
    """A graph: states, who moves, successors, outcomes."""
    said, ends, mover, following, players, weights = {}, {}, {}, {}, ("max", "min"), {}
    form = "((max|min|chance) [^ :,]+ -> .+|end [^ :,]+ [^ ]+|(start|endless) [^ ]+|outcomes [^ ]+ .+)?"
    for keyword, state, *rest in code_lines(text, form):
        if keyword in ("start", "endless", "outcomes"):
            must(said.setdefault(keyword, rest) is rest, f"the rules have two lines `{keyword}`")
            rest.insert(0, state)
            continue
        must(state not in following and state != "->" and len({*rest}) == len(rest), f"`{shown(state)}` twice")
        for word in rest[1:] if keyword == "chance" else ():
            name, colon, weight = word.partition(":")
            weights[state, name] = whole(weight, least=1) if colon else 1
        names = [word.partition(":")[0] if keyword == "chance" else word for word in rest[1:]]
        must(len({*names}) == len(names), f"a successor of `{shown(state)}` is named twice")
        following[state] = {name: name for name in names}
        mover[state] = None if keyword == "end" else (*players, "chance").index(keyword)
        if keyword == "end": ends[state] = rest[0]
    outcomes = said.get("outcomes", ["loss", "win"])
    place, used = {name: i for i, name in enumerate(outcomes)}, {*ends.values(), *said.get("endless", ())}
    must(all(usable(name) for name in (*following, *outcomes)), "a name means something else in certificates")
    must(len(place) == len(outcomes) and used <= {*place}, "an outcome is named twice, or not at all")
    must(following and {*said.get("start", ())}.union(*following.values()) <= {*following}, "a state is missing")
    numbers = all(re.fullmatch("[+-]*[0-9]+", name) for name in outcomes)
    plain = all(re.fullmatch("[+]?0|[+-]?[1-9][0-9]{0,18}", name) for name in outcomes)
    must(plain or not numbers, "outcomes that are numbers have 64 bits and no zeros in front")
    scores = [int(name) for name in outcomes] if numbers else []
    must(all(-1 << 63 < a < b < 1 << 63 for a, b in zip(scores, scores[1:])), "numbers of outcomes must rise")
    endless = place.get(said.get("endless", [""])[0], "open") if has_cycle(following) else None
    return Game(players, one_of(following), lambda state: (mover[state], place.get(ends.get(state))),
                lambda state, _: dict(following[state]), outcomes, scores, endless,
                weight=lambda state, text: weights[state, text], chance=bool(weights))
def payoffs_of(words):
    """Payoffs such as 3, -0.25, 1e-3 or 1/3: their least common denominator, and numerators."""
    payoffs, unit = [], 1
    form = "[+-]?(?:[0-9]+/0*[1-9][0-9]*|(?=[.]?[0-9])[0-9]*[.]?[0-9]*(?:[eE][+-]?([0-9]+))?)"
    for word in words:
        found = re.fullmatch(form, word) if len(word) <= 100 else None
        must(found and int(found.group(1) or 0) <= 400, f"`{shown(word)}` is not a payoff")
        payoffs.append(Fraction(word))
        unit = unit * payoffs[-1].denominator // math.gcd(unit, payoffs[-1].denominator)
        must(unit < 1 << 40, "the common denominator of the payoffs is not below 2^40")
    must(all(abs(payoff * unit) < 1 << 40 for payoff in payoffs), "a payoff is not below 2^40")
    return unit, [int(payoff * unit) for payoff in payoffs]
def tables_game(tables, ends, unit):
    """Tables {state: (Max's moves, Min's moves, rows of states)} and payoffs of final states."""
    choices = lambda state, side: {move: i for i, move in enumerate(tables[state][side])}
    return Joint(("Max", "Min"), one_of({**tables, **ends}), ends.get, choices, lambda s, a, b: tables[s][2][a][b], unit)
def joint(text):
    """States with the moves of both sides, and where each pair of them leads."""
    tables, ends, start, table, name = {}, {}, set(), None, "(?!(->|-|start)( |$))[^ :,/]+"
    form = f"(start [^ ]+|state {name}|end {name} [^ ]+|max {name} -> .+|min( {name})+)?"
    for keyword, first, *rest in code_lines(text, form):
        if keyword == "min":
            good = table and not table[1] and len({first, *rest}) == len(rest) + 1
            if good: table[1].extend([first, *rest])
        elif keyword == "max":
            good = table and len(rest) - 1 == len(table[1]) and first not in table[0]
            if good: table[2].append(table[0].append(first) or rest[1:])
        else:
            good = not start if keyword == "start" else first not in tables and first not in ends
            table = tables.setdefault(first, ([], [], [])) if keyword == "state" else None
            if keyword == "start": start.add(first)
            if keyword == "end": ends[first] = rest[0]
        must(good, f"a line `{keyword} {shown(first)} …` of the rules is there twice, or in a wrong place")
    moves = [move for max_moves, min_moves, _ in tables.values() for move in max_moves + min_moves]
    must(all(usable(name) for name in (*tables, *ends, *moves)), "a name means something else in certificates")
    unit, numerators = payoffs_of(ends.values())
    must(start <= {*tables, *ends} != set(), "the rules have no states, or a wrong start")
    ends = {**dict(zip(ends, numerators)), "-": min(numerators, default=0)}
    following = {s: [to for row in rows for to in row] for s, (_, _, rows) in tables.items()}
    must(set().union(*following.values()) <= {*tables, *ends}, "a state is never defined")
    full = all(rows and all({*line} != {"-"} for line in [*rows, *zip(*rows)]) for *_, rows in tables.values())
    must(full and not has_cycle(following), "a state has no moves, or one leads nowhere, or comes back")
    return tables_game(tables, ends, unit)
def matrix(text):
    """Max chooses a row, Min a column: from `start` to ROW/COLUMN."""
    lines = (line.split("#")[0].strip(WHITE) for line in text.lstrip("\ufeff").split("\n"))
    cells = [[word.strip(WHITE) for word in line.split(",")] for line in lines if line]
    must(cells and all(len(row) == len(cells[0]) for row in cells), "rows are of different lengths")
    unit, payoffs = payoffs_of(word for row in cells for word in row)
    rows, columns = [[*map(str, range(1, n + 1))] for n in (len(cells), len(cells[0]))]
    names = [[f"{row}/{column}" for column in columns] for row in rows]
    return tables_game({"start": (rows, columns, names)}, dict(zip((n for row in names for n in row), payoffs)), unit)
def goofspiel(options):
    """Both play a card for the prize that lies open. A state: both hands, Max's lead."""
    found = re.fullmatch("([0-9]+)(,points)?(?:,([0-9-]+))?", options) or refuse("the options are wrong")
    cards, points, order = whole(found.group(1), 13, 1), found.group(2), found.group(3)
    usual = [*range(cards, 0, -1)]
    prizes = [whole(word, cards, 1) for word in order.split("-")] if order else usual
    must(sorted(prizes) == usual[::-1] and (not order or prizes != usual), "the prizes are wrong, or fall")
    def read(text):
        parts = re.fullmatch("([0-9,]*)/([0-9,]*)/(0|-?[1-9][0-9]?)", text) or refuse("no CARDS/CARDS/LEAD")
        hands = [tuple(whole(w, cards, 1) for w in hand.split(",") if hand) for hand in parts.group(1, 2)]
        fits = len(hands[0]) == len(hands[1]) and all(sorted({*hand}) == [*hand] for hand in hands)
        ahead, taken = int(parts.group(3)), sum(prizes[:cards - len(hands[0])])
        must(fits and abs(ahead) <= taken, "there are no such hands, or no such lead")
        return (*hands, ahead)
    def play(state, first, second):
        ahead = state[2] + ((first > second) - (first < second)) * prizes[cards - len(state[0])]
        return (*(tuple(c for c in h if c != card) for h, card in zip(state, (first, second))), ahead)
    def payoff(state):
        first, second, ahead = state
        if len(first) > 1 and (points or abs(ahead) <= sum(prizes[cards - len(first):])): return None
        if len(first) == 1: ahead = play(state, first[0], second[0])[2]  # nothing left to choose
        return ahead if points else (ahead > 0) - (ahead < 0)
    return Joint(("Max", "Min"), read, payoff, lambda s, side: {str(c): c for c in s[side]}, play)
# ---- Formulas.
LIBRARY = """def reach(n) = reach(n, w); def reach(0, f) = f; def reach(n, f) = <A>reach(n-1, f); def path(0) = w;
def path(n) = w | <A>path(n-1); def omega(0) = w; def omega(1) = w | <A>w; def omega(n) = w | <A>[B]omega(n-1); def
ladder(0) = w; def ladder(1) = w | <A>w; def ladder(n) = w | <A>((w | <A>w) & [B]ladder(n-2)); from B def
helpmate(0) = w; def helpmate(n) = w | <B><A>helpmate(n-1); from B def selfmate(0) = w; def selfmate(n) = w | <B>(!l
& [A]selfmate(n-1)); def PT(0) = w; def PT(1) = w | <A>w; def PT(n) = w | <A>(path(n-1) & [B]PT(n-1)); def lambda(0,
n) = w; def lambda(d, 0) = w; def lambda(d, 1) = w | <A>w; def lambda(d, n) = w | <A>(lambda(d-1, n-1) &
[B]lambda(d, n-2)); def counter(0, n) = won(B); def counter(d, 0) = won(B); def counter(d, 1) = won(B) | <B>won(B); def
counter(d, n) = won(B) | <B>(counter(d-1, n-1) & [A]counter(d, n-2)); def dual(0, n) = w; def dual(d, 0) = w; def
dual(d, 1) = w | <A>w; def dual(d, n) = w | <A>(!counter(d-1, n-1) & dual(d-1, n-1) & [B]dual(d, n-2)); def null(0)
= w; def null(1) = w | <A>w; def null(n) = w | [B]null(n-1) | <A>[B]null(n-1); def APS(0) = w; def APS(1) = w | <A>w; def APS(n) = w | <A>(APS(n-1) & [B]APS(n-1)); def PA(n) =
PA(n, 0); def PA(0, i) = w; def PA(n, 0) = w | <A>PA(n-1, 1); def PA(n, i) when i < k = [B(i)]PA(n-1, i+1); def
PA(n, i) = [B(i)]PA(n-1, 0); def beta(0) = w; def beta(1) = w | <A>w; def beta(n) = w | <A>[B*]beta(n-1); def
zugzwang(f) = !f & [B?]f; def gagnant(0) = <A>w; def gagnant(k) = <A>w | <A>gagne(k); def gagne(0) = w; def gagne(k)
= gagnant(k-1) & [B]gagnant(k-1); from B def reflex(0) = w; def reflex(n) = !<B>won(B) & <B>(<A>w | !l & [A]reflex(n-1));
from B def helpself(1) = <B>(!l & [A]w); def helpself(n) = <B>(!l & [A]w | <A>helpself(n-1)); def drawn(0) = false; def
drawn(1) = <A>draw; def drawn(n) = <A>(draw | !over & [B]drawn(n-1)); from B def helpdraw(0) = draw; def helpdraw(n) =
draw | <B><A>helpdraw(n-1); from B def selfdraw(0) = draw; def selfdraw(n) = draw | <B>(!over & [A]selfdraw(n-1)); def
series(0) = false; def series(n) = <A>(w | !check & series(n-1)); from B def serhelp(0) = false; def serhelp(n) =
<B>(<A>w | !check & serhelp(n-1)); from B def serself(0) = false; def serself(n) = <B>(!over & [A]w | !check &
serself(n-1)); from B def serreflex(0) = false; def serreflex(n) = !<B>won(B) & <B>(<A>w | !check & serreflex(n-1));
true""".replace("\n", " ")
OWN = "w l draw over true false turn won atleast k A B def from when".split()  # names that no definition may have
TOKEN = re.compile(r"[0-9]+|[^\W\d]\w*|<[^>]*>|\[[^]]*\]|->|[&|!(),;=<>+*.-]")
POWERS = {"->": 1, "|": 2, "&": 3, "+": 4, "-": 4, "*": 5}  # how tightly signs bind
DUAL, DIGITS = {"&": "|", "|": "&", "[": "<", "<": "["}, "0123456789"
def tokens_of(text):
    """The tokens of a text, which must be spelled as the program spells them; "" is the end."""
    tokens, at, test, line, before = [""], 0, False, "", False
    while at < len(text):
        found = TOKEN.match(text, at)
        token = "<" if test and text[at] == "<" else found.group() if found else text[at]
        at += len(token)
        if token == " ": continue
        agent = token[1:-1] if token[0] in "<[" and len(token) > 1 else "A"
        must(found and (token != "<" or test) and agent.strip() == agent != "", f"no token: `{shown(token)}`")
        if token[0] in DIGITS: whole(token, 10**6)
        wide = token in "& | -> = < > def from when".split() or token == "B" and tokens[-1] == "from"
        line += (" " if line and (wide or before) else "") + token
        before, test = wide or token in ";,", token == "when" or test and token not in "=;"
        tokens.append(token)
    must(line == text, f"the formula is not spelled as usual: `{shown(line)}`")
    return tokens[1:] + [""]
class Formula:
    """Reads a formula in which player `a` is A. Its value is a node: equal ones are one, and each stands beside
    its negation. Numbers stand in tuples. A class is read again at each call; without parameters (`env` is None)
    a text is only read to see where it ends. What reads is a generator, and `run` has a stack for all that wait."""
    def __init__(self, game, text, a):
        self.game, self.a, self.clauses, self.known, self.calls, self.steps = game, a, {}, {}, 0, 0
        self.nodes, self.dual, self.ids = [("constant", 0, 0), ("constant", 1, 1)], [1, 0], {}
        for part in (LIBRARY, text): self.define(part)
        self.root = self.formula(self.run(self.value({})))
    def define(self, text):
        """Takes over definitions and stops in front of the formula behind them."""
        self.tokens, self.at = tokens_of(text), 0
        names = {name for word, name in zip(self.tokens, self.tokens[1:]) if word == "def"}
        must(not names & {*self.clauses, *OWN}, "a definition hides a class or a proposition")
        self.clauses.update((name, []) for name in names)
        while self.take(";") or self.tokens[self.at] in ("def", "from"):
            if self.take("from"): must(self.next("B") and self.tokens[self.at] == "def", "`from` what?")
            if not self.take("def"): continue
            name, patterns, test = self.next(), [], None
            while self.take("," if patterns else "("): patterns.append(self.next())
            named = re.match(r"[^\W\d]", name) and all(re.match(r"\w", pattern) for pattern in patterns)
            must(named and (not patterns or self.next(")")), "a definition without a name, or a parameter")
            own = [pattern for pattern in patterns if pattern[0] not in DIGITS]
            free = len({*own} - {*self.clauses} - {*OWN}) == len(own) and (name + "".join(own)).isascii()
            must(free or text is LIBRARY, "a parameter is there twice, or hides something, or is not plain")
            if self.take("when"): test, _ = self.at, self.run(self.compare(None))
            self.clauses[name].append((patterns, test, self.tokens, self.next("=") and self.at))
            self.run(self.value(None))
        body, _ = self.at, self.run(self.value(None))
        must(not self.tokens[self.at + (self.tokens[self.at] == ";")], "there is too much behind the formula")
        self.at = body
    def next(self, wanted=None):
        token, self.at = self.tokens[self.at], self.at + 1
        must(token == wanted if wanted else token, f"`{shown(token)}` is wrong in the formula")
        return token
    def take(self, token):
        self.at += (found := self.tokens[self.at] == token)
        return found
    def run(self, task):
        stack, value = [task], None
        while stack:
            try:
                stack.append(stack[-1].send(value))
                value = None
            except StopIteration as done: value = stack.pop() and done.value
        return value
    def value(self, env, power=0, depth=0):
        self.steps, token = self.steps + 1, self.next()
        must(self.steps <= MOST_STEPS, f"the formula takes more than {MOST_STEPS:,} steps to read")
        must(depth <= DEEPEST, f"the formula has parts more than {DEEPEST} deep inside others")
        if token == "!": left = self.dual[self.formula((yield self.value(env, 9, depth + 1)))]
        elif token[0] in "<[" and len(token) > 1:
            agent, inner = (yield self.agent(token[1:-1], env)), (yield self.value(env, 9, depth + 1))
            left = 0 if env is None else self.add(token[0], agent, self.formula(inner))
        elif token == "(": left, _ = (yield self.value(env, 0, depth + 1)), self.next(")")
        else: left = (int(token),) if token[0] in DIGITS else (yield self.named(token, env, depth))
        while POWERS.get(self.tokens[self.at], 0) > power:
            sign, to_right = self.next(), self.tokens[self.at - 1] == "->"  # the others go to the left
            right = yield self.value(env, POWERS[sign] - to_right, depth + to_right)
            left = 0 if env is None else self.two(sign, left, right)
        return 0 if env is None else left
    def named(self, name, env, depth):
        """A parameter, a class with its arguments, or a proposition with what is in its brackets."""
        must(re.match(r"[^\W\d]", name), f"`{shown(name)}` is wrong in the formula")
        start, values, level = self.at - 1, [], 0
        while name in self.clauses and self.take("," if values else "("):
            values.append((yield self.value(env, 0, depth + 1)))
        if values: self.next(")")
        while name not in self.clauses and (level or self.tokens[self.at] == "("):
            level += {"(": 1, ")": -1}.get(self.next(), 0)
        text = "".join(self.tokens[start:self.at])
        if env is None or text in env or text == "k": return (env or {}).get(text, (1,))
        return (yield self.call(name, tuple(values))) if name in self.clauses else self.literal(text)
    def agent(self, name, env):
        if re.fullmatch(r"B\(.*\)", name):
            kept, self.tokens, self.at = (self.tokens, self.at), tokens_of(name[2:-1]), 0
            place = yield self.value(env, 3)
            must(not self.tokens[self.at] and (env is None or place == (1,)), "there is one opponent, B1")
            name, (self.tokens, self.at) = "B", kept
        return 0 if env is None else self.player(re.sub("^B(0*1|[*?])$", "B", name))  # one opponent: B is B*
    def player(self, name):
        places = {"A": self.a, "B": 1 - self.a, "B1": 1 - self.a, **{p: i for i, p in enumerate(self.game.players)}}
        found = places.get(name, places.get(name.lower()))
        return found if found is not None else refuse(f"there is no agent `{shown(name)}`")
    def compare(self, env):
        left, sign, right = (yield self.value(env, 3)), self.next(), (yield self.value(env, 3))
        must(sign in "<=>" and (env is None or type(left) == type(right) == tuple), "`when` compares two numbers")
        return sign == ("<" if left < right else ">" if left > right else "=")
    def formula(self, value): return value if isinstance(value, int) else refuse("a number is not a formula")
    def two(self, sign, left, right):
        if sign in ("&", "|", "->"):
            left = self.dual[self.formula(left)] if sign == "->" else self.formula(left)
            return self.add("&" if sign == "&" else "|", left, self.formula(right))
        must(isinstance(left, tuple) and isinstance(right, tuple), f"`{sign}` is for numbers")
        exact = {"+": left[0] + right[0], "-": left[0] - right[0], "*": left[0] * right[0]}[sign]
        return (max(-1 << 63, min(exact, 2**63 - 1)),)
    def call(self, name, values):
        if (name, values) not in self.known:
            self.calls, kept = self.calls + 1, (self.tokens, self.at)
            must(self.calls <= MOST_CALLS, f"classes call classes more than {MOST_CALLS} deep")
            for patterns, test, tokens, body in self.clauses[name]:
                env, self.tokens, self.at = dict(zip(patterns, values)), tokens, test
                fits = len(patterns) == len(values) and all(
                    value == (int(pattern),) if pattern[0] in DIGITS else
                    isinstance(value, int) or value[0] >= 0 for pattern, value in zip(patterns, values))
                if fits and (test is None or (yield self.compare(env))): break
            else: raise Refused(f"no clause of `{shown(name)}` fits its arguments")
            self.at = body
            self.known[name, values] = self.formula((yield self.value(env)))
            self.calls, (self.tokens, self.at) = self.calls - 1, kept
        return self.known[name, values]
    def literal(self, text):
        plain = {"w": ("won", self.a), "l": ("lost", self.a), "draw": ("draw", 0), "over": ("over", 0)}
        (kind, bracket, name), outcomes = text.partition("("), [*self.game.outcomes]
        if text in ("true", "false"): return int(text == "true")
        if kind == "atleast" and name[:-1] in outcomes: plain[text] = kind, outcomes.index(name[:-1])
        elif kind in ("turn", "won") and bracket: plain[text] = kind, self.player(name[:-1])
        must(text in plain, f"there is no proposition or class `{shown(text)}`")
        return self.add("literal", plain[text], True)
    def add(self, kind, x, y):
        """The number of a node, which may be simpler than what was asked for."""
        if kind in "&|" and (x < 2 or y < 2): return min(x, y) if min(x, y) == (kind == "|") else max(x, y)
        if (kind, x, y) not in self.ids:
            count = len(self.nodes)
            must(count < 2 * MOST_PARTS, f"the formula has more than {MOST_PARTS:,} parts")
            other = (kind, x, not y) if kind == "literal" else (
                DUAL[kind], self.dual[x] if kind in "&|" else x, self.dual[y])
            self.nodes += (kind, x, y), other
            self.dual += count + 1, count
            self.ids[kind, x, y], self.ids[other] = count, count + 1
        return self.ids[kind, x, y]
    def keyed(self, node):
        """The node that some moves of the first choice lead to what holds, and no others; and where that
        choice stands, a [A] that is no other one. What stands before must hold, too."""
        (kind, x, y), count = self.nodes[node], len(self.nodes)
        if kind == "<":
            self.nodes += ("[", x, y), ("<", x, self.dual[y])
            self.dual += count + 1, count
            return count, count
        literal = kind == "|" and self.nodes[x][0] == "literal"
        must(literal or kind == "&", "the formula has no first moves")
        rest, at = self.keyed(y)
        return self.add("&", self.dual[x] if literal else x, rest), at
KEYS = ", exactly these keys: "
def asked(game, formula, eager, words, position):
    """The evaluation game: Verifier chooses at | and <A>, Falsifier at & and [A]. A state: one of
    the game, and the node that is asked there, or (agent, value) where an agent has no move. `words`
    may list the first moves behind which the rest holds, and no others."""
    nodes, a, first, keys = formula.nodes, formula.a, None, []
    if words:
        formula.root, first = formula.keyed(formula.root)
        start, keys = game.read(position), words[len(KEYS):].split(" ")
        turn = game.status(start)[0]
        must(turn == nodes[first][1], "the first moves are not those of the player to move")
        must({*keys} <= {*game.moves(start, turn)}, "a key is not a legal move")
    def holds(state, literal):
        (_, (kind, what), positive), (turn, outcome) = literal, game.status(state)
        if kind == "turn" or turn is not None: return (kind == "turn" and turn == what) == positive
        if kind == "draw": return (not won(game, outcome, 0) and not won(game, outcome, 1)) == positive
        if kind in ("over", "atleast"): return (kind == "over" or outcome >= what) == positive
        return (won(game, outcome, what) == (kind == "won")) == positive
    def passes(state, agent):  # whether it can only pass; None if it can do nothing at all
        turn, outcome = game.status(state)
        if turn is None: return None if agent == a or won(game, outcome, a) else True
        return turn != agent and not game.moves_off_turn
    def settled(state, at):
        """What is left of a node once what can be answered at once is answered."""
        while True:
            kind, x, y = nodes[at]
            if kind == "literal": return state, int(holds(state, nodes[at]))
            simple = [i for i in (x, y) if kind in "&|" and nodes[i][0] == "literal"]
            only = passes(state, x) if kind in "<[" else False
            if only is None: return state, (x, int(kind == "["))
            if not eager or not (only or simple): return state, at
            if simple and holds(state, nodes[simple[0]]) == (kind == "|"): return state, int(kind == "|")
            at = y if only or simple[0] == x else x
    def status(point):
        if isinstance(point[1], tuple): return None, point[1][1]
        return (None, point[1]) if point[1] < 2 else (int(nodes[point[1]][0] in "&["), None)
    def moves(point, _agent):
        state, (kind, x, y) = point[0], nodes[point[1]]
        if kind in "&|": return {"1st": settled(state, x), "2nd": settled(state, y)}
        found = {} if passes(state, x) else game.moves(state, x)
        def rest(text): return formula.dual[y] if point[1] == first and text not in keys else y
        return {text: settled(to, rest(text)) for text, to in found.items()} or {"stays": settled(state, y)}
    return Game(("verifier", "falsifier"), lambda text: settled(game.read(text), formula.root), status, moves)
def other_way_round(game):
    """The same game with its second player as Max: agents change their numbers, outcomes their order."""
    last = len(game.outcomes) - 1
    def status(state):
        turn, outcome = game.status(state)
        return (None, last - outcome) if turn is None else (turn if turn == CHANCE else 1 - turn, None)
    return game._replace(net=None, sums=None, players=(game.players[1], "others"), outcomes=game.outcomes[::-1], status=status,
                         moves=lambda state, agent: game.moves(state, 1 - agent),
                         endless=last - game.endless if isinstance(game.endless, int) else game.endless)
# ---- Connections.
def shows_connection(near, own, taken, on_turn, text):
    """Whether a derivation shows that who has these stones joins the terminals, on turn or not."""
    goal = {node for node in near if node[0] == "@"}
    def beside(nodes): return set().union(*(near[node] for node in nodes))
    def chains(nodes, own):
        found, fresh = {*nodes}, own.intersection(nodes)
        while fresh:
            fresh = (beside(fresh) & own) - found
            found |= fresh
        return found
    def unneeded(cell, own, empty):
        around = near[cell] & (own | empty)
        for node in around:
            chain = chains({node}, own)
            touched = chains((chain | beside(chain)) & own, own)
            if not around <= chain | beside(chain) | touched | beside(touched): return False
        return True
    class Context:
        def __init__(self, own, empty, stone): self.own, self.empty, self.items, self.played = own, empty, [], {stone}
        def becomes(self, own, empty):
            """Another board: items with a cell of the opponent's are void, own cells leave carriers."""
            self.own, self.empty = own, empty
            self.items = [item and (chains(item[0], own), item[1] & empty, item[2])
                          if item and item[0] | item[1] <= own | empty else None for item in self.items]
        def operand(self, word):
            x, dash, y = word.partition("-")
            if not dash:
                must(re.fullmatch("[1-9][0-9]*", x) and int(x) <= len(self.items), f"there is no item `{shown(x)}`")
                return self.items[int(x) - 1]
            must(x in near and y in near, f"`{shown(word)}` is not a link")
            one, other = chains({x}, self.own), chains({y}, self.own)
            return (one | other, set(), True) if {x, y} <= self.own | self.empty and (one | beside(one)) & other else None
        def all_of(self, items):
            if None in items: return None
            ends, carrier = set().union(*(i[0] for i in items)), set().union(*(i[1] for i in items))
            shared, weak = set.intersection(*(i[0] for i in items)), sum(not i[2] for i in items)
            if len(carrier) < sum(len(i[1]) for i in items) or ends & carrier: return None
            if shared & self.own: return (ends, carrier, not weak) if weak < 2 else None
            return (ends - shared, carrier | shared, False) if len(shared) == 1 and not weak else None
    def any_of(items):
        items = [item for item in items if item]
        strong = sorted((item for item in items if item[2]), key=lambda item: len(item[1]))
        if strong or not items: return strong[0] if strong else None
        if set.intersection(*(i[1] for i in items)): return items[0]
        return set.intersection(*(i[0] for i in items)), set().union(*(i[1] for i in items)), True
    cells = near.keys() - goal
    outer, here = [], Context(own | goal, cells - own - taken, None)
    def cell(word): return word if word in cells else refuse(f"`{shown(word)}` is not a cell")
    for word in text.split(" "):
        if word[:1] == "-":
            if cell(word[1:]) in here.empty: here.becomes(here.own, here.empty - {word[1:]})
        elif "&" in word:
            a, _, b = word.partition("&")
            both, free = {cell(a), cell(b)}, here.own | here.empty
            must(len(both) == 2, "a pair has two cells")
            if both <= here.empty:
                if not all(unneeded(c, here.own | both - {c}, here.empty) for c in both): continue
                here.played |= both
            else:
                gone = both - free
                if outer or not on_turn or len(gone) != 1 or not both - gone <= here.empty: continue
                if not unneeded(*gone, here.own | both - gone, here.empty): continue
                on_turn = False
            here.becomes(here.own | both, here.empty - both)
        elif word[:1] == "(":
            inner = Context(here.own | {word[1:]}, here.empty - {word[1:]}, word[1:])
            outer.append(here)
            here = inner if cell(word[1:]) in here.empty else Context(set(), set(), word[1:])
            must(len(outer) <= len(cells), "too many brackets")
        elif word == ")":
            must(outer, "there is no bracket to close")
            item, played, here = here.items[-1] if here.items else None, here.played, outer.pop()
            here.items.append((item[0] - played, item[1] | played, False) if item and item[2] else None)
        elif "+" in word: here.items.append(here.all_of([here.operand(part) for part in word.split("+")]))
        else: here.items.append(any_of([here.operand(part) for part in word.split("|")]))
    return not outer and any(item and goal <= item[0] and (item[2] or on_turn) for item in here.items)
# ---- Sums.
class Bag:
    """A sum as far as its value goes: numbers and heaps added up, no part beside its negative."""
    def __init__(self): self.parts, self.number, self.heap = collections.Counter(), Fraction(0), 0
    def put(self, part, negative):
        if part[0] == "value" and part[1][0] == 0: self.number += Fraction(part[1][1], 1 << part[1][2])
        elif part[0] == "value" and part[1][0] == 1: self.heap ^= part[1][1]
        elif self.parts[negative]: self.parts[negative] -= 1
        else: self.parts[part] += 1
    def same(self, other):
        return (+self.parts, self.number, self.heap) == (+other.parts, other.number, other.heap)
def shows_parts(game, state, prover, words):
    """Refuses words that do not show that the prover wins a sum in which the other side is to move."""
    (turned, split), facts = game.sums, []
    def read(text):
        return ("value", read_value(text[1:])) if text[:1] == "=" else ("at", game.read(f"{text} {game.players[0]}"))
    def moves(part, agent):
        if part[0] == "value": return {str(i + 1): ("value", v) for i, v in enumerate(options_of(part[1], agent))}
        after = game.moves(turned(part[1], agent), agent)
        return {name: ("at", turned(there, 0)) for name, there in after.items()}
    def pieces(parts):
        for kind, what in parts:
            both = [(what, negated(what))] if kind == "value" else split(what)
            yield from (((kind, part), (kind, negative)) for part, negative in both)
    def is_sum(parts, named, known):
        left, right = Bag(), Bag()
        for both in pieces(parts): left.put(*both)
        for name in named.split(" ") if named else []:
            for both in pieces(facts[whole(name, known, 1) - 1][0]): right.put(*both)
        must(left.same(right), "what is left is not the sum of these facts")
    def finished():
        for parts, done in facts[-1:]:
            for i, part in enumerate(parts):
                must(part in parts[:i] or all((i, name) in done for name in moves(part, 1 - prover)), "a move has no answer")
    entries = words.split(" ; ")
    for entry in entries[:-1]:
        if entry[:2] == "~ ":
            finished()
            facts.append(([read(text) for text in entry[2:].split(" & ")], set()))
            must(len(facts[-1][0]) <= MOST_FACT_PARTS, f"a fact has over {MOST_FACT_PARTS} parts")
            continue
        i, move, j, reply, *named = [*entry.split(" ", 4), ""][:5] if entry.count(" ") >= 3 else refuse("not an answer")
        must(facts, "an answer stands before every fact")
        parts, done = facts[-1]
        i, j = whole(i, len(parts), 1) - 1, whole(j, len(parts), 1) - 1
        must(parts[i] not in parts[:i] and (i, move) not in done, "the move is answered twice")
        after = [*parts]
        for at, name, agent in ((i, move, 1 - prover), (j, reply, prover)):
            there = moves(after[at], agent)
            after[at] = there[name] if name in there else refuse(f"`{shown(name)}` is not a move there")
        is_sum(after, named[0], len(facts) - 1)
        done.add((i, move))
    must(entries[-1] == "=" or entries[-1][:2] == "= ", "the facts of the position are not named at the end")
    finished()
    is_sum([("at", state)], entries[-1][2:], len(facts))
def by_connection(game, state, prover, words):
    """Refuses everything but a connection or the parts of a sum where there are such."""
    turn, (rule, _, reason) = game.status(state)[0], words.partition(" ")
    must(turn is not None, "the game is over here")
    if rule == "parts" and game.sums:
        must(turn != prover, "parts are added where the opponent is to move")
        return shows_parts(game, state, prover, reason)
    must(rule == "connection" and game.net, "static knowledge is not accepted: make the proof with --no-knowledge")
    must(shows_connection(*game.net(state, prover), turn == prover, reason), "the words do not show a connection here")
# ---- The checkers.
def check(game, reader, start, prover, claimed, or_endless):
    """Replays a proof in pre-order; returns how many claims it has."""
    def meets(outcome): return (outcome >= claimed) == (prover == 0)
    loops = game.endless is not None and (or_endless or game.endless != "open" and meets(game.endless))
    # labels: [state, whether its block is complete, where it is kept]. kept: (sign, what) of lines of marked blocks.
    labels, kept, marked, claims, todo = {}, [], [], 0, [("prove", start, None)]
    seen, steps = set(), 0
    def keep(sign, what):
        if marked: kept.append((sign, what))
    def answered(at, name):  # the next line answers this move, or all others, at a line that is kept
        if at is not None: kept[at][1][name] = len(kept)
    def replay(at, state):
        """Goes through a block that is kept in another state: every line must hold there, too."""
        nonlocal steps
        there = [(at, state)]
        while there:
            at, state = there.pop()
            steps += 1 + (len(kept[at][1].encode()) // 16 if kept[at][0] == "by" else 0)
            most = REPLAYED[0] * reader.line + REPLAYED[1]
            must(steps <= most, f"more than {most} lines are replayed up to here")
            (sign, what), (turn, outcome) = kept[at], game.status(state)
            if turn is None:
                must(meets(outcome), "the game ends against the claim in a replay")
            elif sign == "=":
                must(what is not None, "a claim is not kept, or was open")
                if (what, state) not in seen: there.append((what, state))
                seen.add((what, state))
            elif sign == "by": by_connection(game, state, prover, what)
            else:
                right = sign in ("!", "?") and (turn == prover) == (sign == "!")
                must(right, "the game is not over in a replay, or the other side is to move")
                moves = game.moves(state, turn)
                must(sign == "?" or what in moves, "a move is not legal in a replay")
                if sign == "!": there.append((at + 1, moves[what]))
                else: there += [(what.get(name, [*what.values()][-1]), to) for name, to in moves.items()]
    def place(number, of_text=False):
        must(whole(number) in labels, f"there is no claim #{number} before this line")
        must(not of_text or labels[int(number)][1], f"claim #{number} is still being proved")
        must(not of_text or labels[int(number)][2] is not None, f"claim #{number} is not kept")
        return labels[int(number)]
    while todo:
        task, what, at = todo.pop()
        if task == "finish":
            labels[what][1] = True
            if marked and marked[-1] == what: marked.pop()
        if task == "finish" or task == "answer" and not what: continue
        text, state, label, claims = reader.next(), what, None, claims + 1
        if task == "answer":
            name, colon, text = text.partition(": ")
            if name == "*" not in what and text.startswith("by "):
                answered(at, None)
                keep("by", text[3:])
                for after in what.values(): by_connection(game, after, prover, text[3:])
                continue
            if name == "*" and "*" not in what and text.startswith("as "):
                _, _, claim = place(text[3:], True)
                answered(at, None)
                keep("=", claim)
                for state in what.values(): replay(claim, state)
                continue
            must(colon and name in what, f"`{shown(name)}` is not a move that is still to be answered")
            state = what.pop(name)
            answered(at, name)
            todo.append((task, what, at))
        if text[:1] in ("#", "@"):
            mark, (label, _, text) = text[0], text[1:].partition(" ")
            must(whole(label) not in labels, f"the label #{label} was given before")
            if mark == "@": marked.append(int(label))
            labels[int(label)] = [state, False, len(kept) if marked else None]
            todo.append(("finish", int(label), None))
        (sign, blank, rest), (turn, outcome) = text.partition(" "), game.status(state)
        at = len(kept) if marked else None
        if text == ".":
            must(turn is None and meets(outcome), "the game is not over here, or against the claim")
            keep(".", None)
        elif sign in ("!", "?") and blank:
            right = turn is not None and (turn == prover) == (sign == "!")  # chance is nobody's friend
            must(right, "the game is over here" if turn is None else "the other side is to move here")
            moves = game.moves(state, turn)
            must(rest in moves or sign == "?", f"`{shown(rest)}` is not a legal move here")
            must(rest == str(len(moves)) or sign == "!", f"the opponent has {len(moves)} moves here")
            keep(sign, rest if sign == "!" else {})
            todo.append(("prove", moves[rest], None) if sign == "!" else ("answer", moves, at))
        elif sign == "by" and blank:
            by_connection(game, state, prover, rest)
            keep("by", rest)
        else:
            must(sign == "=" and blank, "expected `.`, `! MOVE`, `? N` or `= K`")
            proved, complete, where = place(rest)
            must(proved == state, f"claim #{rest} is about another position")
            must(complete or loops and rest != label, f"claim #{rest} is still being proved: a circle")
            keep("=", where if complete else None)
    reader.end(reader.next(), claims)
    return claims
def mean_of(terms, prover, bits):
    """The mean of (weight, bound), rounded against the prover; no bits: not rounded."""
    weights, total = sum(weight for weight, _ in terms), 0
    for weight, bound in terms:
        total += weight * bound
        must(bits is None or max(abs(weight * bound), abs(total)) < 1 << 127, "numbers of over 128 bits")
    if bits is not None: return -(-total // weights) if prover else total // weights
    mean = Fraction(total) / weights
    length = mean.numerator.bit_length() + mean.denominator.bit_length()
    return mean if length <= MOST_BITS else refuse(f"a bound has more than {MOST_BITS:,} bits")
def check_mixed(game, reader, start, prover, claimed, bits):
    """Replays a mixed strategy, each position behind those that it leads to."""
    proved, last, scale = {}, None, 1 << (bits or 0)
    def bound(state):
        payoff = game.payoff(state)
        must(payoff is not None or state in proved, "no line before speaks of a position that follows")
        return proved[state] if payoff is None else payoff * scale
    while True:
        mix, at, place = reader.next().rpartition(" @ ")
        if not at: break
        last, words, mixed = game.read(place), mix.split(" "), []
        must(last not in proved and game.payoff(last) is None, "the game is over here, or a line was before")
        own, others = game.choices(last, prover), game.choices(last, 1 - prover).values()
        must(len(words) % 2 == 0, "expected a weight behind each move")
        for move, weight in zip(words[::2], words[1::2]):
            must(move in own, f"`{shown(move)}` is not a legal move here, or is there twice")
            must(len(weight) <= MOST_DIGITS, f"a weight has more than {MOST_DIGITS} digits")
            mixed.append((whole(weight, 10**MOST_DIGITS if bits is None else MOST_WEIGHT, 1), own.pop(move)))
        means = [mean_of([(weight, bound(game.play(last, *((other, m) if prover else (m, other)))))
                          for weight, m in mixed], prover, bits) for other in others]
        proved[last] = max(means) if prover else min(means)
    reader.end(place, len(proved))
    must((last == start) if proved else game.payoff(start) is not None, "the last line is about another position")
    found = Fraction(bound(start)) / (scale * game.unit)
    must(found <= claimed if prover else found >= claimed, f"what is guaranteed is {shown(str(found))}")
    return len(proved)
def check_expected(game, reader, start, prover, claimed, how, exactly, first):
    """Replays a strategy by what it gets on average; `first` tells whether the first player is Max."""
    bits, leak, draw = how
    outcomes, lines, proved, last = len(game.outcomes), {}, {}, None
    # The order of outcomes is Max's; scores are the first player's.
    payoffs, unit = [*range(outcomes)], max(outcomes - 1, 1)
    if game.scores: payoffs, unit = game.scores if first else [-score for score in game.scores[::-1]], 1
    if draw is not None:
        must(outcomes == 3 and not game.scores, "a draw is one of three words")
        payoffs, unit = [0, draw.numerator, draw.denominator], draw.denominator
    scale = 1 << (bits or 0)
    def worse(a, b): return a > b if prover else a < b
    def bound(state, known):
        turn, outcome = game.status(state)
        must(turn is None or state in known, "no line before speaks of a position that follows")
        return payoffs[outcome] * scale if turn is None else known[state]
    def follows(state, words, known):
        turn, sign, rest = game.status(state)[0], words[0], words[1:]
        moves = game.moves(state, turn)
        wanted = {"!": moves if exactly else rest, "~": rest[::2]}.get(sign, moves)  # what the line speaks of
        after = {text: bound(to, known) for text, to in moves.items() if text in wanted}
        if turn == prover:
            must(sign == "!" and len(rest) == 1 and rest[0] in moves, "expected `! MOVE`, a legal one")
            must(not exactly or not any(worse(after[rest[0]], other) for other in after.values()), "another move is better")
            return after[rest[0]]
        if turn == CHANCE or not exactly:
            must(sign == "?" and rest == [str(len(moves))], f"expected `? {len(moves)}`")
            if turn != CHANCE: return (max if prover else min)(after.values())
            terms = [(game.weight(state, text), b) for text, b in after.items()]
            must(bits is None or max(terms)[0] <= MOST_WEIGHT, "a weight is too large for rounded bounds")
            return mean_of(terms, prover, bits)
        must(sign == "~" and rest and len(rest) % 2 == 0 and len({*rest[::2]}) * 2 == len(rest), "expected weights")
        must({*rest[::2]} <= {*moves}, "a weight is that of a legal move")
        terms = [(whole(weight, 10**20 - 1, 1), after[text]) for text, weight in zip(rest[::2], rest[1::2])]
        return mean_of(terms, prover, bits)
    while True:
        says, at, place = reader.next().partition(" @ ")
        if not at: break
        last, words = game.read(place), says.split(" ")
        must(last not in lines and game.status(last)[0] is not None, "the game is over here, or a line was before")
        if leak is None:
            proved[last] = follows(last, words, proved)
        else:
            must(len(words) > 2 and words[-2] == "=" and re.fullmatch("0|-?[1-9][0-9]*", words[-1]), "expected `= BOUND`")
            proved[last] = int(words[-1])
            must(abs(proved[last]) < 1 << 124, "a bound is too large")
            words = words[:-2]
        lines[last] = words
    reader.end(says, len(lines))
    worst = (max if prover else min)(payoffs) * scale
    for state, words in lines.items() if leak is not None else ():
        b = follows(state, words, proved)
        lost = -(-abs(b - worst) // (1 << leak))
        left = b - lost if b > worst else b + lost
        must(not worse(left, proved[state]), f"the bound of {shown(str(state))} does not follow")
    fits = start in lines if leak is not None and lines else last == start if lines else game.status(start)[0] is None
    must(fits, "the last line is about another position")
    found = Fraction(bound(start, proved)) / (scale * unit)
    must(found == claimed if exactly else not worse(found, claimed), f"what is guaranteed is {shown(str(found))}")
    return len(lines)
def expected_words(text):
    """How expected values are computed: bits, leak and what a draw is worth."""
    form = "(exact|[0-9]+)(?: leak ([0-9]+))?(?: draw ([0-9]+(?:/[0-9]+)?))?"
    found = re.fullmatch(form, text) or refuse("expected `expected exact`, or BITS, and maybe `leak N` and `draw A/B`")
    bits = None if found[1] == "exact" else whole(found[1], FINEST)
    leak = None if found[2] is None else whole(found[2], 60, 1)
    draw = None if found[3] is None else Fraction(found[3])
    must(leak is None or bits is not None, "bounds that stand in the file are not exact")
    fits = draw is None or str(draw) == found[3] and 0 <= draw <= 1 and draw.denominator <= 10**6
    must(fits, "a draw is worth a fraction from 0 to 1 in lowest terms")
    return bits, leak, draw
def check_scores(game, reader, start):
    """Replays what everybody plays by max^n, the first of the best moves: the scores, how many positions."""
    proved, state = {}, None
    worth = lambda outcome, agent: (game.scores[outcome] if game.scores else outcome) * (1, -1)[agent]
    def comes_to(state):
        turn, outcome = game.status(state)
        must(turn is None or state in proved, "no line before speaks of a position that follows")
        return proved[state] if outcome is None else outcome
    while True:
        move, at, place = reader.next().partition(" @ ")
        if not at: break
        state = game.read(place)
        turn, best = game.status(state)[0], None
        must(turn is not None and state not in proved, "the game is over here, or a line was before")
        for text, following in game.moves(state, turn).items():
            outcome = comes_to(following)
            if best is None or worth(outcome, turn) > worth(best[1], turn): best = text, outcome
        must(best and best[0] == move, f"`{shown(move)}` is not the first of the best moves here")
        proved[state] = best[1]
    reader.end(move, len(proved))
    must((state == start) if proved else game.status(start)[0] is None, "the last line is about another position")
    outcome = comes_to(start)
    return " ".join(str(worth(outcome, agent)) for agent in (0, 1)), len(proved)

# ---- Files.
GAMES = {"tic-tac-toe": tic_tac_toe, "connect-four": connect_four, "hex": hex_game, "nim": nim,
         "domineering": domineering, "goofspiel": goofspiel, "value": value_game}
FILES = {"explicit": explicit, "joint": joint, "matrix": matrix}
HEADER = """foregone certificate 2\ngame (?P<game>.*)\nrules 1(?: (?P<digest>sha256:[0-9a-f]{64}))?\n\
(?:formula (?P<formula>.*)\nas (?P<agent>.*?)(?P<steps>, step by step)?(?P<keys>, exactly these keys: .*)?\n)?(?:mixed (?P<mixed>.*)\n)?(?:expected (?P<expected>.*)\n)?(?P<scores>scores first-best\n)?\
(?:max (?P<max>.*)\n)?position (?P<position>.*)\nclaim (?:scores (?P<claimed>-?[0-9]+(?: -?[0-9]+)*)|\
(?P<prover>[^ ]+) (?P<relation>[^ ]+) (?P<outcome>[^ ]+)( (?P<endless>or-endless))?)\n"""
def open_regular(path):  # other things may never end
    try: file = open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb")
    except (OSError, ValueError) as error: raise Unusable(f"{shown(path)}: {shown(str(error))}") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode): raise Unusable(f"{shown(path)} is not a file")
    return file
def game_of(text, digest, path, rules):
    if " + " in text and text.partition(":")[0] not in FILES:
        names = text.split(" + ")
        return sum_of(names, [game_of(name, digest, path, rules) for name in names])
    (name, colon, options), found = text.partition(":"), {}
    if name not in GAMES and name not in FILES: raise Unusable(f"the game `{shown(name)}` is not known here")
    named = bool(digest) == (name in FILES) and bool(colon) != (name == "tic-tac-toe")
    must(named, "the game has no options, or too many, or a digest although it stands in no file, or none")
    if name in GAMES: return GAMES[name](options)
    beside = os.path.join(os.path.dirname(path), os.path.basename(options))
    there = [place for place in (options, beside) if "\0" not in place and os.path.isfile(place)]
    for place in [rules] if rules else there or [options]:
        with open_regular(place) as file: content = file.read(LARGEST_FILE + 1)
        must(len(content) <= LARGEST_FILE, f"{shown(place)} has more than {LARGEST_FILE:,} bytes")
        found["sha256:" + hashlib.sha256(content).hexdigest()] = content
    must(digest in found, f"the certificate is about rules of {digest}, the file has {[*found][0]}")
    try: return FILES[name](found[digest].decode())
    except UnicodeDecodeError: raise Refused("the file with the rules is not UTF-8 text") from None
def certificate(reader, first, path, rules):
    """Checks the certificate that begins with this line; returns what it proves."""
    must(first != "foregone certificate 1", "this is a certificate of format 1, not 2: make it again")
    lines = [first]
    while lines[-1] and len(lines) < 10: lines.append(reader.next())
    h = re.fullmatch(HEADER, "\n".join(lines)) or refuse("the header is not of format 2 and rules 1")
    game, mixed, text = game_of(h["game"], h["digest"], path, rules), h["mixed"], h["formula"]
    fits = isinstance(game, Game) == (mixed is None) and (text is None or mixed is None)
    must(fits, "`mixed` is for moves at the same time, a formula for moves in turn")
    must(bool(h["scores"]) == bool(h["claimed"]), "`claim scores` goes with `scores first-best`, and that with it")
    if h["scores"]:
        must(isinstance(game, Game) and text is None and h["max"] is None, "scores are of moves in turn, without `max`")
        must(not game.chance and h["expected"] is None, "scores by max^n are of games without chance")
        scores, claims = check_scores(game, reader, game.read(h["position"]))
        must(scores == h["claimed"], f"the scores are {scores}, against the claim")
        says = ", ".join(f"{name} {score}" for name, score in zip(game.players, scores.split(" ")))
        return f"proved: {shown(h['position'])} in {shown(h['game'])}: {says} by max^n ({claims:,} claims)"
    must(text is None or not game.chance and h["expected"] is None, "formulas are not asked of games with chance")
    if text is not None:
        fits = h["agent"] in game.players and len(text.encode()) <= 50_000 and ";" not in text[:1] + text[-1:]
        must(fits, f"there is no agent `{shown(h['agent'])}`, or the formula has over 50,000 bytes, or ends in `;`")
        must(not h["keys"] or h["relation"] == "at-least" and not h["steps"], "keys are only claimed to be these")
        formula = Formula(game, text, game.players.index(h["agent"]))
        game = asked(game, formula, not h["steps"], h["keys"], h["position"])
    if h["max"] is not None:
        fits = text is None and mixed is None and h["max"] == game.players[1]
        must(fits, f"`max` names the second player of a game in turn, not `{shown(h['max'])}`")
        game = other_way_round(game)
    must(h["prover"] in game.players, f"`{shown(h['prover'])}` is not a player of this game")
    prover, start, outcome = game.players.index(h["prover"]), game.read(h["position"]), h["outcome"]
    relation = ("at-least", "below" if mixed is None and h["expected"] is None else "at-most")[prover]
    if h["expected"] is not None:
        how, exactly = expected_words(h["expected"]), h["relation"] == "exactly"
        number = re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", outcome) and str(Fraction(outcome))
        must(number == outcome and not h["endless"], f"`{shown(outcome)}` is not in lowest terms, or endless")
        must(mixed is None and (not exactly or prover == 0 and how[0] is None), "`exactly` is Max's, in fractions")
        must(exactly or h["relation"] == relation, f"the claim of this player is `{relation}`")
        claims = check_expected(game, reader, start, prover, Fraction(outcome), how, exactly, h["max"] is None)
        says = f"{h['prover']} {h['relation']} {shown(outcome)} on average"
        if exactly: says += ", against the opponent of this file"
        if how[2] is not None: says += f", where a draw counts {how[2]}"
        return f"proved: {shown(h['position'])} in {shown(h['game'])}: {says} ({claims:,} claims)"
    must(h["relation"] == relation, f"the claim of this player is `{relation}`")
    if mixed is None:
        must(outcome in game.outcomes[1:], f"`{shown(outcome)}` can't be claimed")
        claims = check(game, reader, start, prover, [*game.outcomes].index(outcome), h["endless"])
    else:
        number = re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", outcome) and str(Fraction(outcome))
        must(number == outcome and not h["endless"], f"`{shown(outcome)}` is not in lowest terms, or endless")
        bits = None if mixed == "exact" else whole(mixed, FINEST)
        claims = check_mixed(game, reader, start, prover, Fraction(outcome), bits)
    whose = f"{h['max']} is Max, " if h["max"] is not None else ""
    says = f"{whose}{h['prover']} {relation} {shown(outcome)}{' or-endless' if h['endless'] else ''}" if text is None else (
        f"{shown(text, 9999)} {'does not hold' if prover else 'holds'} for {h['agent']}{h['steps'] or h['keys'] or ''}")
    return f"proved: {shown(h['position'])} in {shown(h['game'])}: {says} ({claims:,} claims)"
def verify(path, rules):
    """The exit code for a file of certificates, and what is said of it."""
    try:
        with open_regular(path) as file:
            reader, proved = Reader(file), []
            while (first := reader.next(first=True)) is not None:
                proved.append(certificate(reader, first, path, rules))
            must(proved, "the file ends before the proof does")
    except Unusable as why: return 2, str(why)
    except Refused as why: return 3, f"rejected: line {reader.line}: {why}"
    return 0, "\n".join(proved)
def main(words):
    sys.stdout.reconfigure(errors="backslashreplace")
    if hasattr(sys, "set_int_max_str_digits"): sys.set_int_max_str_digits(0)  # lines are short enough
    if words[:1] == ["--list"] and len(words) == 2:
        with open(words[1], encoding="utf-8") as names: files = names.read().splitlines()
        for name in files: print("refused" if verify(name, None)[0] else "accepted", name)
        return 0
    if len(words) != 1 and words[1:-1] != ["--rules"]:
        return print("usage: verify.py FILE [--rules FILE] | verify.py --list FILE_WITH_A_NAME_ON_EACH_LINE") or 2
    return (result := verify(words[0], words[-1] if words[1:] else None)) and print(result[1]) or result[0]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
