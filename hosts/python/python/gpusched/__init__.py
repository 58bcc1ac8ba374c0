"""GPU hardware-scheduler models, a reference GPU, and studies on it.

:func:`run` runs a workload on the reference GPU; a :class:`Policy` decides which thread block goes where. :func:`study` runs whatever a
file varies, :func:`ray_study` on many machines. The machines of the library are classes in :mod:`gpusched.machines`.
"""

from . import machines
from ._native import View
from .distributed import ray_study
from .errors import Error, Refused, UsageError
from .kernels import kernel
from .options import Option
from .policy import Policy
from .record import Record
from .runs import Result, Run, Timeline, run
from .studies import Rows, study

__all__ = [
    "Error",
    "Option",
    "Policy",
    "Record",
    "Refused",
    "Result",
    "Rows",
    "Run",
    "Timeline",
    "UsageError",
    "View",
    "kernel",
    "machines",
    "ray_study",
    "run",
    "study",
]
