"""Count the live objects of a test, to show that ended objects are freed without the cycle collector."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collector() -> Iterator[None]:
    """Turn the collector off, and hide all earlier objects from it and from `alive`."""
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def alive(*kinds: type) -> Counter[str]:
    """Return the number of objects of each kind that are alive, made since `no_collector`."""
    found = Counter(map(type, gc.get_objects()))
    return Counter(
        {
            kind.__name__: number
            for kind in kinds
            if (number := sum(many for one, many in found.items() if issubclass(one, kind)))
        }
    )
