"""Names: patterns, and the nearest one to a name that does not exist."""

from __future__ import annotations

import difflib
import fnmatch
from typing import Any, Iterable, Mapping

from ._errors import UnknownName


def unknown(name: str, known: Iterable[str], what: str) -> UnknownName:
    """An exception that names what would have been right."""
    names = list(known)
    nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if not nearest and "." in name:  # the right component, another channel
        nearest = [n for n in names if n.startswith(name.rsplit(".", 1)[0] + ".")][:3]
    if nearest:
        hint = f"; did you mean {' or '.join(repr(n) for n in nearest)}?"
    elif names:
        hint = f"; there are {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
    else:
        hint = f"; there is no {what} at all"
    return UnknownName(f"there is no {what} {name!r}{hint}")


def expand(patterns: str | Iterable[str], known: Mapping[str, Any], what: str = "channel") -> list[str]:
    """Names for patterns such as "arm.*" or "all", in the order given, each once."""
    found: dict[str, None] = {}
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        if not isinstance(pattern, str):
            raise TypeError(f"a name of a {what} is a str, not {type(pattern).__name__}")
        if pattern in known:
            found[pattern] = None
            continue
        some = list(known) if pattern == "all" else fnmatch.filter(known, pattern)
        if not some:
            raise unknown(pattern, known, what)
        found.update(dict.fromkeys(some))
    return list(found)
