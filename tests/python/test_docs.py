"""What README and docs show, and docstrings say, is what happens."""

import doctest
import importlib
import pathlib
import subprocess
import sys

import pytest

import stiction
from conftest import ROOT

FLAGS = doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_pages(page):
    text = (ROOT / page).read_text().replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert len(test.examples) >= 5
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.failures == 0


def modules():
    folder = pathlib.Path(stiction.__file__).parent
    return sorted({"stiction" if p.stem == "__init__" else f"stiction.{p.stem}" for p in folder.glob("*.py")})


@pytest.mark.parametrize("name", modules())
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0


def test_the_reference_page_is_up_to_date():
    made = subprocess.run([sys.executable, ROOT / "python/tools/make_reference.py"], capture_output=True, text=True, check=True).stdout
    assert made == (ROOT / "docs/python-reference.md").read_text(), "python3 python/tools/make_reference.py > docs/python-reference.md"
