"""Foregone's games as environments of PettingZoo, with opponents that play perfectly.

It needs the packages ``pettingzoo`` and ``numpy``.

>>> import foregone.pettingzoo
>>> env = foregone.pettingzoo.env("connect-four:4x4", opponent="perfect")
>>> env.reset(seed=1)
>>> while env.agents:
...     observation, reward, over, cut, info = env.last()
...     done = over or cut
...     env.step(None if done else int(observation["action_mask"].argmax()))
>>> env.moves[0], reward
('1', 0.0)
"""

from __future__ import annotations

import random
from typing import Any, Dict, List, Mapping, Optional, Union

from ._ask import Amount, AnyGame, solve
from ._foregone import Error
from ._play import play
from ._walk import Board, Place

try:
    import gymnasium
    import numpy
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError("environments of PettingZoo need the package pettingzoo: pip install pettingzoo") from error

__all__ = ["Environment", "env"]


def env(
    game: AnyGame,
    *,
    opponent: Union[None, str, Mapping[str, str]] = None,
    agent: Optional[str] = None,
    render_mode: Optional[str] = None,
    max_length: int = 1000,
    time: Optional[Amount] = None,
    nodes: Optional[Amount] = None,
    memory: Optional[Amount] = None,
) -> "Environment":
    """A game as an AEC environment. Agents have the names of players.

    Without ``opponent`` all players are agents. ``opponent="perfect"`` leaves one of them, ``agent`` or else the
    first player, and the others play as well as can be: each of their moves comes from ``solve``, within the
    budget of ``time``, ``nodes`` and ``memory``; where that is not enough, an exception says so. ``"random"`` makes
    any move, and everything else is a player of ``foregone.play``. Of several opponents, a dict names some:
    ``{"white": "perfect"}``. Chance moves by its weights.

    An observation is a dict: ``observation`` is the drawing, as numbers of characters, the same size for all
    positions, with a line for who is to move; ``action_mask`` is 1 where an action is legal. Rewards come at the
    end: 1, 0 and -1 where outcomes are words. A play of ``max_length`` moves is cut off (a truncation).

    ``render_mode`` is ``"ansi"`` (a drawing in text), ``"svg"`` (a picture), or ``"human"``, which prints.
    """
    budget = {"time": time, "nodes": nodes, "memory": memory}
    return Environment(Board(game), opponent, agent, render_mode, max_length, budget)


class Environment(AECEnv):  # type: ignore[misc]
    """A game as an environment. ``place.position`` is where the play stands, and ``moves`` are those that were made."""

    metadata = {"render_modes": ["ansi", "svg", "human"], "name": "foregone", "is_parallelizable": False}

    def __init__(
        self,
        board: Board,
        opponent: Union[None, str, Mapping[str, str]],
        agent: Optional[str],
        render_mode: Optional[str],
        longest: int,
        budget: Dict[str, Any],
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "svg", "human"):
            raise ValueError(f"render_mode={render_mode!r}: expected 'ansi', 'svg' or 'human'")
        self.board = board
        self.metadata = {**self.metadata, "name": f"foregone_{board.game.name}"}
        self.render_mode = render_mode
        self.longest = longest
        self._budget = budget
        self._opponents = _opponents(board, opponent, agent)
        self.possible_agents = [name for name in board.players if name not in self._opponents]
        if not self.possible_agents:
            raise ValueError("all players are opponents: there is no agent left")
        # A line more tells who is to move.
        shape = (board.rows + 1, board.columns)
        self.observation_spaces = {
            name: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 255, shape, numpy.uint8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (board.actions,), numpy.int8),
                }
            )
            for name in self.possible_agents
        }
        self.action_spaces = {
            name: gymnasium.spaces.Discrete(board.actions) for name in self.possible_agents
        }
        self._known: Dict[str, Any] = {}
        self._random = random.Random(0)
        self.place: Place = board.start
        self.moves: List[str] = []
        self.agents: List[str] = []

    def observation_space(self, agent: str) -> Any:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins anew. The seed is that of chance and of random opponents."""
        if seed is not None:
            self._random = random.Random(seed)
            for name, space in self.action_spaces.items():
                space.seed(seed + self.possible_agents.index(name))
        self.place = self.board.start
        self.moves = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {name: {} for name in self.agents}
        self._chosen: Dict[str, str] = {}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> Dict[str, Any]:
        """What an agent sees now, and what it may do."""
        player = self.board.players.index(agent)
        seen = numpy.zeros((self.board.rows + 1, self.board.columns), numpy.uint8)
        for row, line in enumerate(str(self.place.position).split("\n")[: self.board.rows]):
            for column, character in enumerate(line[: self.board.columns]):
                seen[row, column] = min(ord(character), 255)
        seen[-1, 0] = 0 if self.place.player is None else 1 + self.place.player
        mask = numpy.zeros(self.board.actions, numpy.int8)
        if agent in self.agents and not (self.terminations[agent] or self.truncations[agent]):
            mask[self.board.numbers_of(self.place.legal(player))] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """Makes the move of the agent whose turn it is, and those of opponents and chance behind it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = self.place.legal(self.board.players.index(agent))
        move = None if action is None else self.board.move_of(int(action), legal)
        if move is None:
            numbers = ", ".join(map(str, self.board.numbers_of(legal)))
            raise ValueError(f"{action} is no legal action of {agent}: the legal ones are {numbers}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = move
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """Makes moves until an agent has to choose one, or it is over."""
        while not self.place.over and len(self.moves) < self.longest:
            place = self.place
            if place.chance:
                (move,) = self._random.choices(place.moves[0], place.weights)
                self._make(move)
                continue
            movers = self.board.players if place.player is None else [self.board.players[place.player]]
            for name in movers:
                if name in self._opponents and name not in self._chosen:
                    self._chosen[name] = self._reply(name)
                if name not in self._chosen:
                    self.agent_selection = name
                    return
            self._make("/".join(self._chosen.pop(name) for name in movers))
        for name in self.agents:
            self.terminations[name] = self.place.over
            self.truncations[name] = not self.place.over
            self.rewards[name] = self.place.returns[self.board.players.index(name)]
        self.agent_selection = self.agents[0]

    def _make(self, move: str) -> None:
        self.place = self.place.play(move)
        self.moves.append(move)

    def _reply(self, name: str) -> str:
        """The move of an opponent."""
        kind, player = self._opponents[name], self.board.players.index(name)
        legal = self.place.legal(player)
        if kind == "random":
            return self._random.choice(legal)
        if kind != "perfect":
            made = play(self.place.position, kind, seed=self._random.randrange(1 << 32), **self._budget).choose()
            return str(made["move"])
        if len(legal) == 1:
            return legal[0]
        answer = self._perfect()
        if self.place.player is None:
            strategy = answer.strategies[player]
            (move,) = self._random.choices(list(strategy), [float(often) for often in strategy.values()])
            return str(move)
        return str(answer.best_move)

    def _perfect(self) -> Any:
        """The answer about this position, with a best move."""
        place = self.place
        if place.text not in self._known:
            scheme = "maxn" if self.board.scored else None
            answer = solve(place.position, scheme=scheme, **self._budget)
            found = answer.strategies if place.player is None else answer.best_move
            if not answer.solved or found is None:
                raise Error(
                    f"the opponent can't play perfectly: {place.text} was not solved within the budget "
                    f"({answer.stop}); allow more of it, or take another opponent, such as 'default'"
                )
            self._known[place.text] = answer
        return self._known[place.text]

    def render(self) -> Optional[str]:
        """The position as text or as a picture."""
        if self.render_mode == "svg":
            return self.place.position._repr_svg_()
        if self.render_mode == "human":
            print(self.place.position)  # noqa: T201
            return None
        return str(self.place.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def _opponents(
    board: Board, opponent: Union[None, str, Mapping[str, str]], agent: Optional[str]
) -> Dict[str, str]:
    """Who plays which opponent."""
    if agent is not None and agent not in board.players:
        raise ValueError(f"agent={agent!r}: the players are {', '.join(board.players)}")
    if opponent is None:
        if agent is not None:
            raise ValueError("agent= goes with opponent=: without one, all players are agents")
        return {}
    if isinstance(opponent, str):
        chosen = agent or board.players[0]
        return {name: opponent for name in board.players if name != chosen}
    for name in opponent:
        if name not in board.players:
            raise ValueError(f"opponent: there is no player {name!r}; the players are {', '.join(board.players)}")
    return dict(opponent)
