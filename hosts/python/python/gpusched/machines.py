"""The machines of the library, each a class: configured by keywords, told what happens, asked what they decide.

Parameters, calls and answers are the core's, under its names: what a call takes as a struct is any mapping with its fields, and what it
answers with is a :class:`gpusched.Record`. A refused call raises :class:`gpusched.Refused` and has changed nothing. Functions without a
state, the analytical models, are functions here.
"""

from ._native import machines as _machines

globals().update({name: value for name, value in vars(_machines).items() if not name.startswith("_")})
