"""The machines as classes: golden vectors, and what calls promise."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import gpusched
import numpy
import pytest
from gpusched import machines

VECTORS = Path(__file__).parents[3] / "tests" / "vectors"


@pytest.mark.parametrize("name", ["backup_select_lowest", "fig26_smx_bind_step", "fig26_adaptive_bind_step"])
def test_golden_vectors_of_laperm(name: str) -> None:
    vector = json.loads((VECTORS / "laperm" / f"{name}.json").read_text())
    laperm, calls = machines.LaPerm(**vector["config"]), 0
    for step in vector["steps"]:
        if not hasattr(laperm, step["op"]):
            continue  # what vectors say in words of their own: the whole state, several calls
        arguments = {key: value for key, value in step.items() if key not in ("op", "expect", "note")}
        if "res" in arguments:
            arguments["res"] = dict(zip(("threads", "regs", "smem", "slots"), arguments["res"]))
        if step["op"] == "tb_done":
            arguments["kde"] = arguments.pop("kdei", None)
        call, expected = getattr(laperm, step["op"]), step["expect"]
        calls += 1
        answer = call(**arguments)
        if "dispatch" in expected:
            told = answer["dispatch"]
            for key in ("smx", "tag", "tb", "prio", "unit", "last", "refill"):
                assert told[key] == expected["dispatch"][key], (step, key)
    assert calls > 8


def four() -> Any:
    return machines.FrontEnd(n_smx=4, pend_limit=16, lat_dispatch=0, policy={"told": {}})


def test_a_front_end_in_two_halves() -> None:
    gpu = four()
    gpu.host_launch(0, gpusched.kernel(6, 64, tag=7), False)
    sent = []
    while gpu.status() != "drained":
        gpu.begin()
        for offer in gpu.offers()[:1]:
            if offer.open:
                tb = gpu.send(offer.id, offer.open[-1])
                sent.append((tb.blkid, tb.smx, tb.tag))
        word = gpu.end()
        if isinstance(word, dict):
            gpu.tb_done(word.tb.smx, word.tb.slot)
    assert sent == [(blkid, 3, 7) for blkid in range(6)]
    kinds = [next(iter(decision)) for _, decision in gpu.take()]
    assert kinds.count("tb") == 6 and gpu.take() == []


def test_a_refused_call_names_its_fault_and_changes_nothing() -> None:
    gpu = four()
    with pytest.raises(gpusched.Refused, match="NotBegun") as refused:
        gpu.send({"entry": 0}, 0)
    assert refused.value.fault == "NotBegun"
    with pytest.raises(gpusched.UsageError, match="n_smx = 0: expected"):
        machines.FrontEnd(n_smx=0)
    with pytest.raises(gpusched.UsageError, match="unknown field `smxs`"):
        machines.FrontEnd(smxs=4)
    with pytest.raises(gpusched.UsageError, match="smx"):
        gpu.begin()
        gpu.send({"entry": 0}, "first")


def test_a_wrong_parameter_is_refused_by_its_name() -> None:
    with pytest.raises(gpusched.UsageError, match="^n_smx: .*'str'"):
        machines.FrontEnd(pend_limit=16, n_smx="four")
    assert machines.FrontEnd(n_smx=numpy.int64(4)).config.n_smx == 4


def test_a_variant_that_holds_something_is_not_its_name_alone() -> None:
    with pytest.raises(gpusched.UsageError) as refused:
        machines.FrontEnd(n_smx=4, policy="told")
    assert str(refused.value) == 'policy: write {"told": {}}, the name with what it holds, and not the name alone'
    for variant in ("told", "laperm"):
        assert variant in machines.FrontEnd(policy={variant: {}}).config.policy
    gpu = four()
    gpu.begin()
    with pytest.raises(gpusched.UsageError, match=r'^id: write \{"entry": \.\.\.\}, the name with what it holds'):
        gpu.send("entry", 0)


def test_every_machine_is_made_of_its_defaults_and_has_a_configuration() -> None:
    classes = [value for value in vars(machines).values() if isinstance(value, type)]
    assert len(classes) >= 18
    for machine in classes:
        assert isinstance(machine().config, gpusched.Record), machine


def test_a_machine_is_saved_copied_and_compared() -> None:
    gpu = four()
    gpu.host_launch(0, gpusched.kernel(6, 64, tag=7), False)
    other = copy.deepcopy(gpu)
    assert other == gpu and other != four() and gpu != 7

    with pytest.raises(gpusched.Refused, match="take them, then save"):
        gpu.begin()
        gpu.send(gpu.offers()[0].id, 0)
        gpu.end()
        gpu.save()
    assert other != gpu and copy.copy(gpu) == gpu
    gpu.take()
    for same in (type(gpu).restore(gpu.save()), pickle.loads(pickle.dumps(gpu))):
        assert same == gpu and same.config == gpu.config
        same.tb_done(0, 0)
        assert same != gpu

    gpu.begin()
    with pytest.raises(gpusched.Refused) as refused:
        gpu.save()
    assert refused.value.fault == "MidCycle"
    with pytest.raises(gpusched.UsageError, match="^the image is damaged$"):
        type(gpu).restore(other.save() + b"1")
    with pytest.raises(gpusched.UsageError, match="^an image of another kind of machine$"):
        machines.Dgb.restore(other.save())


def test_every_machine_is_restored_from_what_it_saves() -> None:
    for machine in (value() for value in vars(machines).values() if isinstance(value, type)):
        assert copy.copy(machine) == machine
        if hasattr(machine, "save"):
            assert type(machine).restore(machine.save()) == machine == pickle.loads(pickle.dumps(machine)), machine
            with pytest.raises(gpusched.UsageError, match="^the image ends too early$"):
                type(machine).restore(machine.save()[:20])


def test_calls_that_are_written_by_hand() -> None:
    loaded = machines.Apogee().load(0, pc=4, warp=0, verdict="absent", lanes=[(0, 0x1000), (1, 0x1004)])
    assert isinstance(loaded, gpusched.Record)
    is_coalesced, segments = machines.Coalescer().access(0b11, [0x1000, 0x1004] + [0] * 30, 4)
    assert is_coalesced and len(segments) == 1


def test_models_are_functions() -> None:
    with pytest.raises(gpusched.Refused):
        machines.roofline(0.0, 0.0, 0.0)
