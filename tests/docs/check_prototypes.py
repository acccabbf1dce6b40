#!/usr/bin/env python3
"""check_prototypes.py FOLDER: every public declaration has a comment: above it, at its end, or above the
group of declarations in which it stands (no blank line between)."""
import pathlib
import sys


def uncommented(path):
    lines = path.read_text().split("\n")
    covered, i = False, 0
    while i < len(lines):
        if not lines[i].startswith("STI_API"):
            covered = covered and lines[i].startswith("//")
            i += 1
            continue
        end = next(j for j in range(i, len(lines)) if ";" in lines[j])
        covered = covered or lines[i - 1].startswith("//") or any("//" in x for x in lines[i : end + 1])
        if not covered:
            yield i + 1, lines[i]
        i = end + 1


found = 0
for header in sorted(pathlib.Path(sys.argv[1]).glob("*.h")):
    for number, line in uncommented(header):
        print(f"{header.name}:{number}: no comment: {line}")
        found += 1
sys.exit(found > 0)
