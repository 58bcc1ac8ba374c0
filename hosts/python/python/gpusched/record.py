"""Values of machines."""

from __future__ import annotations

from typing import Any


class Record(dict[str, Any]):
    """A struct of a machine. Its fields are attributes, and items, as in JSON: ``tb.smx`` is ``tb["smx"]``.

    A variant of an enumeration is its name, ``"no_room"``, or a record around what it holds: ``{"tb": {"smx": 3, ...}}``.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no field {name}; there are {', '.join(self)}") from None

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{name}={value!r}' for name, value in self.items())})"
