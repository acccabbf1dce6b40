#!/usr/bin/env python3
"""make_kinds.py SCHEMA OUTPUT: writes the methods of stiction.Plan, one for each kind of body and element.

The schema is generated from the tables that the scene reader itself uses, so a Plan can say what YAML can say.
"""

import json
import keyword
import sys
import textwrap

HEAD = '''"""Kinds of bodies and elements as methods of Plan. Made by python/tools/make_kinds.py from the schema of scenes."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from ._document import Document, Name

Value = Any
_absent: Any = None


class Kinds(Document):
    """What a plan consists of."""
'''

TOP_LEVEL_ELSEWHERE = {"bodies", "elements", "inputs", "parameters"}


def python_type(schema: dict) -> str:
    """The type of a keyword argument; expressions and names of parameters are texts."""
    reference = schema.get("$ref", "").rsplit("/", 1)[-1]
    known = {
        "number": "float | str", "vector": "Sequence[float | str]", "function": "float | str | Mapping[str, Any]",
        "functions": "float | str | Sequence[Any]", "names": "str | Sequence[str]", "plane": "Mapping[str, Any]",
        "frame": "Mapping[str, Any]", "shapes": "Sequence[Mapping[str, Any]]",
    }
    if reference in known:
        return known[reference]
    plain = {"string": "str", "boolean": "bool", "array": "Sequence[Any]", "object": "Mapping[str, Any]", "integer": "int"}
    return plain.get(schema.get("type") if isinstance(schema.get("type"), str) else "", "Any")


def argument(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def wrapped(text: str, indent: str) -> str:
    return "\n".join(textwrap.wrap(text, 112, initial_indent=indent, subsequent_indent=indent + "    "))


def method(section: str, kind: str, schema: dict) -> str:
    keys = {k: v for k, v in schema["properties"].items() if k != "kind"}
    required = [k for k in schema.get("required", []) if k in keys]
    order = required + [k for k in keys if k not in required]
    lines = [f"    def {kind.replace('-', '_')}(", "        self,", "        name: str,", "        *,"]
    if not order:
        lines.pop()
    for key in order:
        kind_of = python_type(keys[key])
        default = "" if key in required else " = _absent"
        optional = kind_of if key in required or kind_of == "Any" else f"{kind_of} | None"
        lines.append(f"        {argument(key)}: {optional}{default},")
    lines += ["    ) -> Name:", f'        """{schema.get("description", kind)[:1].upper()}{schema.get("description", kind)[1:]}.', ""]
    for key in order:
        note = keys[key].get("description", "")
        enum = keys[key].get("enum")
        if enum:
            note += f" ({', '.join(map(str, enum))})"
        lines.append(wrapped(f"{argument(key)}: {note}", "        "))
    given = ", ".join(f'"{k}": {argument(k)}' for k in order)
    lines += ['        """', wrapped(f'return self._add("{section}", "{kind}", name, {{{given}}})', "        ")]
    return "\n".join(lines)


def settings(properties: dict) -> str:
    keys = {k: v for k, v in properties.items() if k not in TOP_LEVEL_ELSEWHERE}
    lines = ["    def set(", "        self,", "        *,"]
    for key, schema in keys.items():
        kind = python_type(schema)
        lines.append(f"        {argument(key)}: {kind if kind == 'Any' else kind + ' | None'} = _absent,")
    lines += ["    ) -> None:", '        """What a scene says beside its bodies and elements.', ""]
    lines += [wrapped(f"{argument(k)}: {v.get('description', '')}", "        ") for k, v in keys.items()]
    given = ", ".join(f'"{k}": {argument(k)}' for k in keys)
    lines += ['        """', wrapped(f"self._set({{{given}}})", "        ")]
    return "\n".join(lines)


def main() -> None:
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    parts = [HEAD, settings(schema["properties"])]
    for name, definition in schema["definitions"].items():
        for prefix, section in (("body-", "bodies"), ("element-", "elements")):
            if name.startswith(prefix):
                parts.append(method(section, name[len(prefix):], definition))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n\n".join(parts).replace("Kinds(Document):\n    \"\"\"What a plan consists of.\"\"\"\n\n\n", "Kinds(Document):\n    \"\"\"What a plan consists of.\"\"\"\n\n") + "\n")


if __name__ == "__main__":
    main()
