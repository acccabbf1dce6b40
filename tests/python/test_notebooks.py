"""Notebooks run from top to bottom."""

import json
import pathlib

import pytest

import stiction
from conftest import ROOT

nbconvert = pytest.importorskip("nbconvert.preprocessors")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("matplotlib")
pytest.importorskip("ipykernel")


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "python/notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebook(path, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(stiction.__file__).parents[1]))  # whatever kernel is started
    assert not any(c.get("outputs") for c in json.loads(path.read_text())["cells"]), "notebooks are kept without outputs"
    book = nbformat.read(path, as_version=4)
    nbconvert.ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(book, {"metadata": {"path": str(tmp_path)}})
    pictures = [o for c in book.cells for o in c.get("outputs", []) if "image/png" in o.get("data", {})]
    assert pictures
