"""What ``gpusched.kernel`` promises."""

from __future__ import annotations

from typing import Any

import gpusched
import numpy
import pytest
from gpusched import machines


@pytest.mark.parametrize(
    "grid", [4, (4,), [4, 1], numpy.int64(4), numpy.array([4, 1, 1], numpy.uint8)], ids=repr
)
def test_an_extent_is_one_to_three_whole_numbers(grid: Any) -> None:
    kernel = gpusched.kernel(grid=grid, tb=numpy.uint32(64))
    assert kernel.grid == {"x": 4, "y": 1, "z": 1} and kernel.tb == {"x": 64, "y": 1, "z": 1}
    assert all(type(number) is int for number in kernel.grid.values())
    machines.FrontEnd().host_launch(0, kernel, False)


@pytest.mark.parametrize(
    "wrong", [4.0, numpy.float64(4), "44", "", None, (), (4, 4.0), (1, 2, 3, 4), ("4",)], ids=repr
)
def test_what_is_no_extent_is_refused_by_its_name(wrong: Any) -> None:
    with pytest.raises(gpusched.UsageError, match="^grid: expected one to three whole numbers, not "):
        gpusched.kernel(grid=wrong, tb=64)
    with pytest.raises(gpusched.UsageError, match="^tb: expected one to three whole numbers, not "):
        gpusched.kernel(grid=4, tb=wrong)
