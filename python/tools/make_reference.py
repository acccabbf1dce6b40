#!/usr/bin/env python3
"""make_reference.py: prints docs/python-reference.md, from the docstrings of the package."""

import inspect
import re

import stiction as st

HEAD = """# Python: all names

Made from the docstrings by `python/tools/make_reference.py`; a guide with examples is in [python.md](python.md). Methods of `Plan` for the
kinds of bodies and elements have the keys of [scene-format.md](scene-format.md): `help(st.Plan.friction)`.
"""


def signature(thing):
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    return text.replace("NDArray[np.float64]", "array").replace("'", "").replace("(self, ", "(").replace("(self)", "()")


def text_of(thing):
    return inspect.cleandoc(thing.__doc__ or "")


def without_examples(text):
    """Examples are in docs/python.md, and are run there."""
    return "\n\n".join(part for part in text.split("\n\n") if not part.lstrip().startswith(">>>")).rstrip().rstrip(":")


def own_members(cls):
    generated = set(vars(st._plan.Kinds)) if cls is st.Plan else set()
    for name, member in inspect.getmembers(cls):
        if name.startswith("_") or name in generated - {"set"} or not any(name in vars(c) for c in cls.__mro__ if c.__module__.startswith("stiction")):
            continue
        yield name, member


def attributes(cls):
    """Names with a comment `#:` behind or above them."""
    source = inspect.getsource(cls)
    for above, name, behind in re.findall(r"(?:#: (.*)\n)?\s+(?:self\.)?(\w+): [^=\n#(]+(?:=[^#\n]*)?(?:  #: (.*))?$", source, re.M):
        if (above or behind) and not name.startswith("_"):
            yield name, (above or behind).replace("|", "\\|")


def show_class(name, cls):
    print(f"## {name}\n\n{without_examples(text_of(cls))}\n")
    if issubclass(cls, BaseException):
        return
    rows = list(attributes(cls))
    for member_name, member in own_members(cls):
        kind = inspect.getattr_static(cls, member_name)
        text = without_examples(text_of(member))
        if member_name in vars(st._plan.Kinds):  # keys are those of the scene format
            text = text.split("\n\n")[0]
        first = " ".join(text.split()).replace("|", "\\|")
        if isinstance(kind, property):
            rows.append((member_name, first))
        elif callable(member):
            words = [p for p in inspect.signature(member).parameters if p != "self"]
            rows.append((f"{member_name}({', '.join(words) if len(words) < 13 else '...'})", first))
    if rows:
        print("| | |\n|---|---|")
        print("\n".join(f"| `{a}` | {b} |" for a, b in rows) + "\n")


def show_function(name, function):
    words = ", ".join(inspect.signature(function).parameters)
    print(f"## {name}\n\n`{name}({words})`: {without_examples(text_of(function))}\n")


def main():
    print(HEAD)
    things = {name: getattr(st, name) for name in st.__all__ if name not in ("gym", "models", "Name")}
    for name, thing in things.items():
        (show_class if inspect.isclass(thing) else show_function)(name, thing)
    for module in ("models", "gym"):
        space = getattr(st, module)
        names = [n for n in getattr(space, "__all__", ["Env", "Box", "register"])]
        for name in names:
            thing = getattr(space, name)
            (show_class if inspect.isclass(thing) else show_function)(f"{module}.{name}", thing)
    print("## Friction models\n")
    print("`models.NAME(v, z, *, tau, load, law, ...)` gives f, or f and the rate of z; those resolved with inertia are\n"
          "`models.NAME(v, force, *, mass, T, load, law, ...)`. Numbers by name, with the words of scenes: `help(st.models.lugre)`.")


if __name__ == "__main__":
    main()
