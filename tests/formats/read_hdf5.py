"""read_hdf5.py FILE.h5 FILE.csv [[PLACE:]NAME=TEXT...]
The same numbers bit for bit, and texts that stand in attributes (of the file, or of PLACE)."""
import csv
import sys

import h5py
import numpy as np


def columns_of(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0], np.array([[float(text) for text in row] for row in rows[1:]])


def dataset(file, name):
    return file["t"] if name == "t" else file["channels"][name]


def same_bits(a, b):
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def check_layout(file, names):
    kept = [name for name in names if name != "t"]
    assert list(file["channels"]) == kept, f"channels: {list(file['channels'])}"
    for name in names:
        data = dataset(file, name)
        assert data.dtype == np.float64, f"{name}: {data.dtype}"
        assert data.chunks and data.compression == "gzip" and data.shuffle, name


def main():
    path, table, *wanted = sys.argv[1:]
    names, expected = columns_of(table)
    with h5py.File(path, "r") as file:
        check_layout(file, names)
        for i, name in enumerate(names):
            assert same_bits(dataset(file, name)[:], np.ascontiguousarray(expected[:, i])), name
        for where, text in (pair.split("=", 1) for pair in wanted):
            place, _, attribute = where.rpartition(":")
            found = file[place or "/"].attrs[attribute]
            found = found if isinstance(found, str) else repr(float(found))
            assert text in found, f"{where} is {found}, not {text}"


main()
