"""Policies in Python: which TB goes to which SMX next."""

from __future__ import annotations

from typing import ClassVar, Union

from ._native import View
from .errors import UsageError
from .record import Record

#: Nothing; the cycle in which a policy wants to be asked again; an offer and an SMX; these, and another TB of the offer than its next one.
Answer = Union[None, int, "tuple[Record, int]", "tuple[Record, int, int]"]


class Policy:
    """A policy of one's own, to be given to :func:`gpusched.run` as ``policy``: an object, or a class, of which each run makes its own.

    Once in a cycle in which there may be something to send, :meth:`decide` is asked. It asks :meth:`choose` for each offer, until one says
    an SMX; so most policies have that method alone. An exception ends the run, and is raised by it; so does an answer that cannot be, as a
    :class:`gpusched.Error` that names the fault.

    An *offer* is a unit with TBs to send: ``id``, ``kind``, ``tag``, ``res`` (what a TB takes), ``blkid`` (the next TB), ``left`` and
    ``total`` TBs, ``prio``, ``psmx`` (the SMX of the TB that launched it, or ``None``), ``class_id``, ``stream``, ``key`` and ``parent``
    (when it and the unit that launched it became visible), and ``open``, the SMXs on which its next TB could start now, in a list.
    """

    #: What it is called in results.
    name: ClassVar[str] = "policy"
    #: Whether it is offered each group by itself, and not behind the kernel that it is coalesced with.
    free_units: ClassVar[bool] = True
    #: Whether it names TBs that are not the next ones of their offers.
    splits: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def begin(self, machine: Record) -> None:
        """A run begins, on a machine with these ``config`` (the front end's parameters), ``tpc`` and ``gpc`` of each SMX, and ``capacity``
        of an SMX."""

    def choose(self, offer: Record, view: View) -> int | None:
        """The SMX to which the next TB of this offer goes, or ``None``, if it does not go now."""
        raise NotImplementedError(f"{self.name}: a policy has a method choose, or decide")

    def decide(self, view: View) -> Answer:
        """What is to be done in this cycle. With ``None`` it is asked again when something has happened."""
        for offer in view.offers:
            smx = self.choose(offer, view)
            if smx is not None:
                return offer, smx
        return None

    def done(self, completion: Record) -> None:
        """A TB has ended: ``unit``, ``blkid``, ``smx``, ``start``, ``end``, and the warp instructions that it (``issued``) and all TBs of its
        unit there (``all``) have issued meanwhile."""


def expect_policy(given: object) -> None:
    """Refuses what is neither a policy nor a class of them."""
    if isinstance(given, Policy) or (isinstance(given, type) and issubclass(given, Policy)):
        return
    if isinstance(given, str):
        raise UsageError(f"policy: a policy that has a name is chosen with sched: sched={given!r}")
    raise UsageError(
        f"policy: expected a subclass of gpusched.Policy with a method choose or decide, or an object of it, not {given!r}"
    )
