"""The Python package: CMake builds the extension and writes the generated module, setuptools packs them.

STICTION_CMAKE_BUILD names a folder that CMake has configured with STI_PYTHON=ON; it is then used as it is.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class BuildWithCMake(build_ext):
    """Calls CMake, and takes over what it has made."""

    def build_extension(self, ext):
        given = os.environ.get("STICTION_CMAKE_BUILD")
        folder = pathlib.Path(given or self.build_temp).resolve()
        # make's own variables would reach the makes that cmake starts
        environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
        if not given:
            parts = ["TESTS", "FUZZ", "FORMATS", "EXAMPLES", "BENCH"]
            configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-D", "CMAKE_BUILD_TYPE=Release"]
            configure += ["-D", "STI_PYTHON=ON", "-D", f"STI_PYTHON_INCLUDE={sysconfig.get_path('include')}"]
            configure += [word for part in parts for word in ("-D", f"STI_{part}=OFF")]
            subprocess.run(configure, check=True, env=environment)
            jobs = str(os.cpu_count() or 1)
            build = ["cmake", "--build", str(folder), "--target", "stiction_python_package", "-j", jobs]
            subprocess.run(build, check=True, env=environment)
        into = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        into.mkdir(parents=True, exist_ok=True)
        for name in ("_core.abi3.so", "_kinds.py"):
            shutil.copy2(folder / "python" / "stiction" / name, into / name)


header = (ROOT / "include/stiction/version.h").read_text(encoding="utf-8")
setup(
    version=re.search(r'define STI_VERSION "([^"]+)"', header).group(1),
    ext_modules=[Extension("stiction._core", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildWithCMake},
    options={"build": {"build_base": "build/pip"}, "bdist_wheel": {"py_limited_api": "cp311"}},
)
