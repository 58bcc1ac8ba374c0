"""What policies in Python promise."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any

import gpusched
import numpy
import pytest

INPUT = {"graph": "kron:7", "mode": "dtbl"}


class RoundRobin(gpusched.Policy):
    """As the policy ``round-robin`` of the catalogue."""

    def begin(self, machine: gpusched.Record) -> None:
        self.next, self.smxs = 0, machine.config.n_smx

    def choose(self, offer: gpusched.Record, view: gpusched.View) -> int | None:
        smx = min(offer.open, key=lambda smx: (smx - self.next) % self.smxs, default=None)
        if smx is not None:
            self.next = smx + 1
        return smx


def test_a_policy_decides_as_the_same_one_in_rust() -> None:
    own, rust = gpusched.run(**INPUT, policy=RoundRobin), gpusched.run(**INPUT, sched="round-robin")
    assert own.run.scheduler == "RoundRobin"
    assert own.metrics["cycles"] == rust.metrics["cycles"]
    assert own.counts["decide"]["sent"] == rust.counts["decide"]["sent"]


def test_a_policy_sees_how_things_stand_and_may_wait() -> None:
    class Seeing(RoundRobin):
        def __init__(self) -> None:
            self.ended = 0

        def decide(self, view: gpusched.View) -> gpusched.policy.Answer:
            assert all(view.free(smx).slots + len(view.residents(smx)) == 16 for smx in range(13))
            return view.now + 7 if view.now % 2 else super().decide(view)

        def done(self, completion: gpusched.Record) -> None:
            assert completion.start < completion.end
            self.ended += 1

    policy = Seeing()
    assert gpusched.run(**INPUT, policy=policy).counts["decide"]["sent"] == policy.ended


def test_an_exception_in_a_policy_ends_the_run_and_is_raised() -> None:
    class Broken(gpusched.Policy):
        def choose(self, offer: gpusched.Record, view: gpusched.View) -> int | None:
            raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea"):
        gpusched.run(**INPUT, policy=Broken)
    with pytest.raises(NotImplementedError, match="choose"):
        gpusched.run(**INPUT, policy=gpusched.Policy)


def test_an_answer_that_cannot_be_is_an_error_with_the_name_of_the_fault() -> None:
    class Wrong(gpusched.Policy):
        def __init__(self, said: Any) -> None:
            self.said = said

        def decide(self, view: gpusched.View) -> Any:
            return self.said(view.offers[0]) if view.offers else None

    def told(said: Callable[[gpusched.Record], Any], text: str) -> None:
        with pytest.raises(gpusched.Error, match=f"policy Wrong, cycle [0-9]+: {text}") as raised:
            gpusched.run(**INPUT, policy=Wrong(said))
        assert not isinstance(raised.value, gpusched.UsageError)

    for smx in (13, -1, 70_000):
        told(lambda offer, smx=smx: (offer, smx), "BadSmx")
    told(lambda offer: (offer, 0, None, 0), "expected an offer, an SMX and perhaps a TB, found 4 things")
    told(lambda offer: ({"id": 5}, 0), "offer")
    told(lambda offer: "first", "'str' object")


def test_a_policy_may_be_callable_and_answer_with_numpys_numbers() -> None:
    class Called(RoundRobin):
        def __call__(self) -> int:
            return 3

        def decide(self, view: gpusched.View) -> Any:
            return numpy.int64(view.now + 7) if view.now % 2 else super().decide(view)

    assert gpusched.run(**INPUT, policy=Called()).counts["decide"]["sent"] > 0


def test_ctrl_c_ends_a_policy_that_thinks_for_long() -> None:
    asked: list[int] = []

    class Slow(RoundRobin):
        def decide(self, view: gpusched.View) -> gpusched.policy.Answer:
            asked.append(view.now)
            if len(asked) == 5:
                os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.02)
            return super().decide(view)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            gpusched.run(**INPUT, policy=Slow)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(asked) < 30


def test_a_policy_and_a_scheduler_are_too_many() -> None:
    with pytest.raises(gpusched.UsageError, match="another scheduler"):
        gpusched.run(**INPUT, policy=RoundRobin, sched="rr")
    with pytest.raises(gpusched.UsageError, match="give the class"):
        gpusched.run(**INPUT, policy=RoundRobin(), power="bubble")


def test_what_is_no_policy_is_refused() -> None:
    def choose(offer: gpusched.Record, view: gpusched.View) -> int | None:
        return None

    for wrong in (3, choose, dict, [RoundRobin]):
        with pytest.raises(gpusched.UsageError, match="^policy: expected a subclass of gpusched.Policy"):
            gpusched.run(**INPUT, policy=wrong)  # type: ignore[arg-type]
    with pytest.raises(gpusched.UsageError, match="^policy: .* sched='most-room'"):
        gpusched.run(**INPUT, policy="most-room")  # type: ignore[arg-type]
