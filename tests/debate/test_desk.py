"""One response a request, and failures that end a job at once, with one reason."""

import asyncio
import gc

import pytest
from small_runs import run, small_config, small_items

from headcount.debate.desk import Desk
from headcount.debate.journal import Journal
from headcount.debate.progress import Progress
from headcount.debate.protocol import together
from headcount.engines.request import Identity, Place, Request, Response
from headcount.errors import UserError

PLACE = Place("t", "a", "debate", "q0", 1, 3, 2, 1, 1)
IDENTITY = Identity("m", "w", "api", "auto", 0.95, 9, False, None)


def request(seed):
    return Request(IDENTITY, (("user", "?"),), 0.4, seed, PLACE)


class Slow:
    """An engine that takes its time, counts, and fails on the seeds it is told to."""

    def __init__(self, failing=()):
        self.asked, self.failing = [], set(failing)

    async def complete(self, request):
        self.asked.append(request.seed)
        await asyncio.sleep(0.01)
        if request.seed in self.failing:
            raise UserError(f"seed {request.seed} refused")
        return Response(str(request.seed), "stop", 1, 1)


def at_a_desk(work, engines, journals=None):
    """The result of `work(desk)`; asyncio has nothing to complain of, whatever comes."""
    complaints = []

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["message"]))
        with Progress("desk", 9) as progress:
            desk = Desk(engines, journals or {}, progress)
            try:
                return await work(desk)
            finally:
                await desk.close()
                gc.collect()  # a forgotten failure is told when its task goes

    try:
        return asyncio.run(main())
    finally:
        gc.collect()
        assert complaints == []


def test_equal_requests_are_asked_once_and_each_gets_the_reply(tmp_path, capfd):
    engine, journal = Slow(), Journal(tmp_path, "m", "a", "p")
    work = lambda desk: together(desk.ask("m", request(i % 3)) for i in range(30))  # noqa: E731
    replies = at_a_desk(work, {"m": engine}, {"m": journal})
    assert [reply.text for reply in replies] == [str(i % 3) for i in range(30)]
    assert sorted(engine.asked) == [0, 1, 2]
    assert "desk: 3 of 9 calls" in capfd.readouterr().err
    journal.close()


def test_equal_requests_to_two_models_are_two():
    engines = {"m": Slow(), "o": Slow()}
    at_a_desk(lambda desk: together(desk.ask(model, request(1)) for model in "mo"), engines)
    assert engines["m"].asked == engines["o"].asked == [1]


def test_an_engine_that_fails_ends_the_work_and_nothing_is_left_behind():
    engine = Slow(failing=[3])
    work = lambda desk: together(desk.ask("m", request(i % 5)) for i in range(50))  # noqa: E731
    with pytest.raises(BaseExceptionGroup) as failed:
        at_a_desk(work, {"m": engine})
    assert {str(problem) for problem in failed.value.exceptions} == {"seed 3 refused"}


def test_who_asks_again_after_a_failure_gets_the_failure_again():
    engine = Slow(failing=[1])

    async def twice(desk):
        return await asyncio.gather(*(desk.ask("m", request(1)) for _ in range(2)), return_exceptions=True)

    problems = at_a_desk(twice, {"m": engine})
    assert [str(problem) for problem in problems] == ["seed 1 refused"] * 2
    assert engine.asked == [1]


def test_one_who_gives_up_takes_no_reply_from_the_others():
    engine = Slow()

    async def work(desk):
        impatient, patient = (asyncio.create_task(desk.ask("m", request(1))) for _ in range(2))
        await asyncio.sleep(0)
        impatient.cancel()
        return await patient

    reply = at_a_desk(work, {"m": engine})
    assert reply.text == "1"


def test_work_that_fails_stops_the_rest_of_it():
    done = []

    async def one(number):
        await asyncio.sleep(0.01 * number)
        if number == 2:
            raise UserError("two")
        done.append(number)

    with pytest.raises(BaseExceptionGroup):
        asyncio.run(together(one(number) for number in range(5)))
    assert done == [0, 1]


def test_a_run_whose_engine_cannot_start_says_why_and_leaves_whole_journals(tmp_path):
    config = small_config(models={"m": {"engine": "api", "url": "http://127.0.0.1:9", "key_env": "NO_SUCH_KEY"}})
    with pytest.raises(UserError, match=r"models\.m\.key_env: the environment variable NO_SUCH_KEY is not set"):
        run(config, small_items(2), tmp_path)
    Journal(tmp_path / "m" / "a", "m", "a", "draws").close()
