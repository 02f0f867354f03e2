"""A service, its queue and its workers in one thread: a seed decides who goes on and who dies where.

The code is the real one: records, runner, reconciler, local queue and the acceptance of calls. Only these are
made up: time, processes (sets of greenlets that die together), the respondent and the agents. An actor can
lose its turn or its life before and after each transaction, before each commit, at each answer, and at each
step of an analysis. What is asked of the service is in :mod:`simulated_work`.
"""

from __future__ import annotations

import logging
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import sqlalchemy as sa
from greenlet import getcurrent, greenlet
from simulated_work import ASKING, MENUS, PLANNER, STEPS, begin

from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Failure, Reply
from voxpop.errors import Conflict
from voxpop.jobs import completing, surveying
from voxpop.jobs.apart import GIVEN_UP_AFTER, Outcome, ProcessEnded
from voxpop.jobs.evidence import Evidence
from voxpop.jobs.local import LocalQueue
from voxpop.jobs.reconciler import find, recover
from voxpop.jobs.runner import Runner
from voxpop.population.designs import Drawn
from voxpop.records import groups, jobs, keys, studies, work_items
from voxpop.records.addresses import _set_up_sqlite, _to_json
from voxpop.records.database import Database, _make_new
from voxpop.service import accepting
from voxpop.service.writing import Writing

AGENTS = (1, 2, 3)
CHUNK = 2
LEASE = timedelta(seconds=20)
LOOK_EVERY = timedelta(seconds=1)
MOST_STEPS = 6_000


class Killed(BaseException):
    """The process of an actor has ended; no code of it runs any more."""


@dataclass(eq=False)
class Process:
    """Actors that die together."""

    name: str
    parent: Process | None = None
    dead: bool = False
    actors: list[greenlet] = field(default_factory=list)
    queue: Any = None
    runner: Runner | None = None
    looked: datetime | None = None

    @property
    def gone(self) -> bool:
        return self.dead or (self.parent is not None and self.parent.gone)


@dataclass
class Call:
    """A call of a client, which is sent until it is acknowledged."""

    key: str
    kind: str
    place: int
    acknowledged: list[str] = field(default_factory=list)
    actor: greenlet | None = None
    again_at: datetime | None = None


class SimulatedDatabase(Database):
    """The real records on SQLite in memory; the world decides what happens around each transaction."""

    def __init__(self) -> None:
        self._raw = sqlite3.connect(":memory:", check_same_thread=False, cached_statements=1_000)
        engine = sa.create_engine(
            "sqlite://",
            creator=lambda: self._raw,
            poolclass=sa.StaticPool,
            json_serializer=_to_json,
        )
        sa.event.listen(engine, "connect", _set_up_sqlite)
        super().__init__(engine, lambda: self.world.now, LEASE)
        # One connection for all: taking it out of a pool each time would be a fifth of the simulation.
        self._only = self._engine.connect()
        self.world: Any = SimpleNamespace(now=datetime(2026, 11, 23, tzinfo=UTC), step=lambda _: None)
        self.world.die = self.world.step
        with self.begin() as c:
            _make_new(c)
            self.organization = keys.create_organization(c, "o")
            keys.create_key(c, self.organization, ("studies:write",))
            self.key_id = 1
            made = {"description": None, "filters": {}, "sample_method": "random", "seed": 1, "shortfall": 0}
            group = groups.create(c, self.organization, name="g", agent_ids=AGENTS, **made)
            self.study = studies.create(c, self.organization, title="t", objective=None, group=group)
        self._template = self._raw.serialize()

    def reset(self, world: World) -> None:
        """Begin again with the tables as they were made, for another world."""
        self._raw.deserialize(self._template)
        self.world = world
        self.alone = world.embedded

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Look at the tables past the records, between two turns: nobody is in a transaction then."""
        assert not self._raw.in_transaction
        return self._raw.execute(statement).fetchall()

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        """Give a transaction around which its owner may lose the turn or die."""
        self.world.step("before a transaction")
        with self._only.begin():
            self._raw.execute("BEGIN IMMEDIATE")
            yield self._only
            self.world.die("before a commit")
        self.world.step("after a commit")

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Give a connection for reading."""
        self.world.step("before a read")
        with self._only.begin():
            self._raw.execute("BEGIN")
            yield self._only


class Courier:
    """The queue of a service that works beside workers: news reach one of them, or are lost."""

    def __init__(self, world: World) -> None:
        self._world = world

    def put(self, item_ids: Sequence[int], *, study_id: int | None = None) -> None:
        """Bring the news to a worker that lives."""
        living = [each for each in self._world.processes if each.runner is not None and not each.dead]
        if not living or self._world.chance(self._world.loss):
            self._world.disturbed = True
            return
        self._world.random.choice(living).queue.put(item_ids, study_id=study_id)


class World:
    """One schedule.

    Parameters
    ----------
    seed
        Decides everything.
    database
        Is emptied first.
    """

    seed_of_population = 7

    def __init__(self, seed: int, database: SimulatedDatabase) -> None:
        self.random = random = Random(seed)
        self.seed = seed
        self.now = datetime(2026, 11, 23, tzinfo=UTC)
        self.embedded = random.random() < 0.5
        self.danger = random.choice((0.0, 0.01, 0.03, 0.1))
        self.loss = 0.0 if not self.danger else random.choice((0.0, 0.3))
        # Each of them is a death to a work item, which is given up after one more than all of them.
        self.crashes = random.randint(1, GIVEN_UP_AFTER - 1) if self.danger else 0
        self.stalls = GIVEN_UP_AFTER - 1 - self.crashes if self.danger else 0
        self.disturbed = False
        self.trace: list[str] = []
        self.asked: Counter[tuple[str, int]] = Counter()
        self.found_by_chance: list[int] = []
        self.asking: dict[tuple[str, int], Process] = {}
        self.at_once: list[tuple[str, int]] = []
        self.stalled = False
        self.database = database
        database.reset(self)
        self.hub = getcurrent()
        self.inhabitants: dict[greenlet, Process] = {}
        self.analysed: Counter[tuple[int, str]] = Counter()
        kinds = random.choice(MENUS)(random)
        self.calls = [Call(f"key-{place}", kind, place) for place, kind in enumerate(kinds)]
        questions = [f"{call.kind} {call.place}?" for call in self.calls if call.kind in ASKING]
        # Per question at most one agent raises errors, is failed by the engine, or ends its processes.
        fates = {text: (random.choice(AGENTS), random.random()) for text in questions}
        self.errors = Counter({(text, who): 2 for text, (who, luck) in fates.items() if luck < 0.25})
        self.declared = {(text, who) for text, (who, luck) in fates.items() if 0.25 <= luck < 0.4}
        deadly = 0.45 if self.danger else 0.4
        self.deadly = {(text, who) for text, (who, luck) in fates.items() if 0.4 <= luck < deadly}
        self.service = Process("service")
        self.processes = [self.service]
        if not self.embedded:
            self.processes += [Process("worker 1"), Process("worker 2")]
        for process in self.processes:
            self.start(process)

    # What the code under test meets

    def chance(self, share: float) -> bool:
        return share > 0 and self.random.random() < share

    def step(self, where: str) -> None:
        """Let somebody else go on; whoever calls may never return from it."""
        self.die(where)
        if self.inhabitants.get(getcurrent()) is not None:
            self.hub.switch()
            self.die("", again=True)

    def die(self, where: str, *, again: bool = False) -> None:
        """End the process of the caller here, sometimes; without fail where it has ended already."""
        process = self.inhabitants.get(getcurrent())
        if process is None:
            return
        if process.gone:
            raise Killed
        if not again and self.crashes and self.chance(self.danger):
            self.crashes -= 1
            self.kill(process, where)

    def kill(self, process: Process, where: str) -> None:
        """End a process; only its own actor can do that."""
        self.trace.append(f"{process.name} dies {where}")
        process.dead = self.disturbed = True
        raise Killed

    def agents(self, ids: Sequence[int]) -> list[Any]:
        """Return agents, of which only the number is known: the population."""
        return [SimpleNamespace(id=number) for number in ids]

    def population(self) -> Any:
        """Return the population, in which everybody is whoever is sought."""
        return SimpleNamespace(
            seed=self.seed_of_population,
            agents=self.agents,
            labels=lambda _: (),
            count=lambda _: len(AGENTS),
            unknown_fields=lambda _: [],
            sample=lambda _, size, seed, exclude=(): list(AGENTS[:size]),
            draw=lambda _, size, **how: Drawn(list(AGENTS[:size]), None, None, len(AGENTS), len(AGENTS)),
        )

    def analyse(self, step: str, evidence: Evidence) -> dict[str, Any]:
        """Do a step of an analysis: name the answers that it has seen."""
        self.step("at a step of an analysis")
        (study,) = {column.question.study_id for column in evidence.columns} or {self.database.study.id}
        self.analysed[study, step] += 1
        return {
            "answers": sorted(int(number) for column in evidence.columns for number in column.ids if number)
        }

    def answer(
        self,
        agents: Sequence[Any],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        """Answer as the script says: the respondent."""
        process = self.inhabitants[getcurrent()]
        for agent in agents:
            if question.text == "screened?":
                self.step("at a candidate")
                yield Reply(agent.id, "yes", True, None, "script")
                continue
            which = (question.text, agent.id)
            self.asked[which] += 1
            beside = self.asking.get(which)
            if beside is not None and not beside.gone and not self.stalled:
                self.at_once.append(which)
            self.asking[which] = process
            self.step("at an answer")
            if self.asking.get(which) is process:  # after a stall another process may be asking
                del self.asking[which]
            if which in self.deadly:
                self.kill(process, f"of agent {agent.id}")
            if self.errors[which] > 0:
                self.errors[which] -= 1
                raise RuntimeError("a fault of the engine")
            if which in self.declared:
                yield Failure(agent.id, "unanswerable", "as declared")
            else:
                told = [exchange.question.text for exchange in history.get(agent.id, ())]
                yield Reply(agent.id, "|".join([*told, question.text]), agent.id, None, "script")

    def apart(self, item: work_items.Item) -> Outcome:
        """Run an item in a process of its own, which the caller outlives."""
        me = getcurrent()
        parent = self.inhabitants[me]
        assert parent.runner is not None
        self.inhabitants[me] = Process(f"child of {parent.name}", parent)
        try:
            return Outcome(parent.runner.handle(item))
        except Killed:
            if parent.gone:
                raise
            raise ProcessEnded("The separate process ended with status -9.") from None
        finally:
            self.inhabitants[me] = parent

    # Processes and clients

    def spawn(self, process: Process, run: Callable[[], None]) -> greenlet:
        def live() -> None:
            with suppress(Killed):
                run()

        actor = greenlet(live, parent=self.hub)
        self.inhabitants[actor] = process
        process.actors.append(actor)
        return actor

    def start(self, process: Process) -> None:
        process.dead, process.actors, process.looked = False, [], self.now
        works = self.embedded or process is not self.service
        if not works:
            process.queue = Courier(self)
            return
        process.queue = LocalQueue(lambda: self.look(process))
        process.runner = Runner(
            self.database,
            self.population(),
            SimpleNamespace(name="script", answer=self.answer),
            lambda: self.now,
            queue=process.queue,
            planner=PLANNER,
        )
        process.runner.apart = self.apart
        if self.disturbed:
            self.spawn(process, lambda: self.recovered(process))
        else:
            self.begin_work(process)

    def recovered(self, process: Process) -> None:
        recover(self.database, process.queue)
        self.begin_work(process)

    def begin_work(self, process: Process) -> None:
        for _ in range(2 if self.embedded else 1):
            self.spawn(process, lambda: self.work(process))

    def look(self, process: Process) -> list[work_items.Batch]:
        """Return what nobody runs; where nobody has died, nothing of it may be news to all queues."""
        found = find(self.database)
        queues = [each.queue for each in self.processes if isinstance(each.queue, LocalQueue)]
        told = {item for queue in queues for item in (*queue._waiting, *queue._running)}
        accepting_now = any(call.actor is not None and not call.actor.dead for call in self.calls)
        busy = accepting_now or any(queue._running for queue in queues)
        if not self.disturbed and not busy:
            self.found_by_chance += [item for each in found for item in each.items if item not in told]
        return found

    def work(self, process: Process) -> None:
        """Take work from the queue and run it, as a thread of the local queue does."""
        queue, runner = process.queue, process.runner
        assert runner is not None
        while True:
            taken = queue._take()
            if taken is None:
                assert process.looked is not None
                if self.now - process.looked >= LOOK_EVERY:
                    process.looked = self.now
                    queue._look()
                self.hub.switch()
                self.die("", again=True)
                continue
            try:
                runner.run_item(taken[1])
            finally:
                queue._give_back(*taken)

    def accept(self, call: Call) -> None:
        """Accept a call as the service does; the caller hears of it unless the answer is lost."""
        database, queue = self.database, self.service.queue
        heard = SimpleNamespace(
            state=SimpleNamespace(database=database, queue=queue),
            organization=database.organization,
            writing=Writing(
                database,
                lambda _: (),
                database.organization,
                database.key_id,
                "req_simulated",
                "question.ask",
                call.key,
                f"digest of {call.key}",
            ),
        )
        try:
            operation, _ = accepting._begin(
                heard,  # type: ignore[arg-type]
                "ask",
                call.key,
                lambda c, number: begin(c, database, number, call.kind, f"{call.kind} {call.place}?"),
            )
        except Conflict:  # a study that is still asked is completed later
            call.again_at = self.now + LOOK_EVERY
            return
        self.step("before an answer is sent")
        if not self.chance(self.loss):
            call.acknowledged.append(operation.id)

    # The schedule

    def run(self) -> None:
        """Let everybody go on in turns that the seed decides, until all calls and all work have ended."""
        for _ in range(MOST_STEPS):
            self.now += timedelta(milliseconds=self.random.randrange(20))
            self.send_calls()
            able = self.able()
            if not able:
                if self.at_rest():
                    return
                self.now += timedelta(seconds=1)
                able = [actor for process in self.processes for actor in process.actors]
                if not able:
                    continue
            self.turn(self.random.choice(able))
            if self.stalls and self.chance(
                0.3 * self.danger
            ):  # somebody stalls for longer than a claim lasts
                self.stalls -= 1
                self.now, self.disturbed, self.stalled = self.now + LEASE, True, True
        raise AssertionError("work is stuck")

    def turn(self, actor: greenlet) -> None:
        actor.switch()
        for process in self.processes:
            if process.dead:
                for each in process.actors:
                    if each:
                        each.throw(Killed)
                    self.inhabitants.pop(each, None)
                self.asking = {which: who for which, who in self.asking.items() if not who.gone}
                for call in self.calls:
                    if call.actor in process.actors:
                        call.actor = None
                self.start(process)
            process.actors = [each for each in process.actors if not each.dead]

    def send_calls(self) -> None:
        for call in self.calls:
            refused = call.again_at is not None and call.again_at > self.now
            if not call.acknowledged and not refused and (call.actor is None or call.actor.dead):
                call.actor = self.spawn(self.service, lambda call=call: self.accept(call))
                if self.chance(0.5):
                    return

    def able(self) -> list[greenlet]:
        """Return who has something to do."""
        waiting = {call.actor for call in self.calls}
        found = []
        for process in self.processes:
            queue = process.queue
            idle = isinstance(queue, LocalQueue) and not queue._turns and not queue._running
            due = process.looked is not None and self.now - process.looked >= LOOK_EVERY
            found += [each for each in process.actors if each in waiting or not idle or due or not each]
        return found

    def at_rest(self) -> bool:
        if any(not call.acknowledged for call in self.calls):
            return False
        return self.database.rows("SELECT count(*) FROM work_items WHERE state <> 'done'") == [(0,)]

    def close(self) -> None:
        """End all actors."""
        for actor, process in list(self.inhabitants.items()):
            process.dead = True
            if actor:
                actor.throw(Killed)


def _analyse(database: SimulatedDatabase, step: str, evidence: Evidence) -> dict[str, Any]:
    done: dict[str, Any] = database.world.analyse(step, evidence)
    return done


@contextmanager
def small_parts() -> Iterator[SimulatedDatabase]:
    """Let work items have two agents and analyses two steps for now; give a database for schedules."""
    kept = jobs.CHUNK, surveying.CHUNK, logging.root.manager.disable
    jobs.CHUNK = surveying.CHUNK = CHUNK
    database, steps = SimulatedDatabase(), completing.STEPS
    completing.STEPS = {step: partial(_analyse, database, step) for step in STEPS}
    logging.disable(logging.CRITICAL)  # thousands of tracebacks that the script asks for
    try:
        yield database
    finally:
        completing.STEPS = steps
        jobs.CHUNK, surveying.CHUNK = kept[:2]
        logging.disable(kept[2])


def simulate(seed: int, database: SimulatedDatabase) -> World:
    """Run one schedule to its end."""
    world = World(seed, database)
    try:
        world.run()
    finally:
        world.close()
    return world
