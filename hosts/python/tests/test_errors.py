"""What the exceptions of the package promise."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor

import gpusched
import pytest
from gpusched import machines

RAISED = [gpusched.Error("text"), gpusched.UsageError("text"), gpusched.Refused("BadSmx", "text")]


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_an_exception_is_the_same_after_it_was_pickled_or_copied(error: gpusched.Error) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


def test_a_refusal_says_its_fault_and_what_it_means() -> None:
    refused = gpusched.Refused("BadSmx", "there is no such SMX")
    assert str(refused) == "BadSmx: there is no such SMX"
    assert (refused.fault, refused.text) == ("BadSmx", "there is no such SMX")


def refused_call() -> None:
    machines.FrontEnd(policy={"told": {}}).send({"entry": 0}, 0)


def test_a_call_that_is_refused_in_a_worker_is_refused_for_who_waits_for_it() -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(gpusched.Refused) as refused:
        pool.submit(refused_call).result()
    assert refused.value.fault == "NotBegun"
