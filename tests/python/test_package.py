"""What is packed."""

import pathlib
import re

import stiction
from conftest import ROOT


def test_a_source_archive_has_all_sources():
    packed = set(re.findall(r"^graft (\w+)$", (ROOT / "MANIFEST.in").read_text(), re.M))
    left_out = {"tests", "bench", "examples", "build", "papers", "scenes", "web", "docs", "scripts", "out", "wasm"}
    with_sources = {p.relative_to(ROOT).parts[0] for p in ROOT.glob("*/**/*.[ch]")}
    needed = {name for name in with_sources if name not in left_out and not name.startswith(("build", "."))}
    assert needed <= packed, "MANIFEST.in lacks folders that CMake needs"


def test_the_extension_is_for_all_later_versions():
    folder = pathlib.Path(stiction.__file__).parent
    assert [p.name for p in folder.glob("*.so")] == ["_core.abi3.so"]
    assert (folder / "py.typed").exists() and (folder / "_core.pyi").exists()
    assert stiction.__version__ in (ROOT / "include/stiction/version.h").read_text()
