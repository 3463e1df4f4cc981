"""Builds the compiled form of the core where that is possible; everything else is pyproject.toml.

Without Cython, without a compiler, or where compiling fails for any reason, the build goes on with
one message, and the core runs uncompiled.

Compiled arrays have no bounds; a build that checks every access, and games that use it:

    CFLAGS="-fsanitize=address -g" pip install --no-build-isolation --no-deps -e .
    LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 \\
        PYTHONMALLOC=malloc carcassonne selftest --games 150
"""

import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

_MODULES = ("engine", "judge", "search", "star")
_DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}


def _give_up(error: BaseException) -> None:
    print(
        f"carcassonne: the core was not compiled ({type(error).__name__}: {error}); "
        "it will run uncompiled, many times slower",
        file=sys.stderr,
    )


class BuildCore(build_ext):
    """Compiles the core, or leaves it as it is."""

    def run(self) -> None:
        """Compile, and on any failure say so and go on."""
        try:
            super().run()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a build without it is a build
            _give_up(error)
            self.extensions = []

    def build_extensions(self) -> None:
        """Ask for all optimisations."""
        if self.compiler.compiler_type != "msvc":
            for extension in self.extensions:
                extension.extra_compile_args = ["-O3", "-ffp-contract=off"]
        super().build_extensions()


def _extensions() -> list[Extension]:
    try:
        from Cython.Build import cythonize  # noqa: PLC0415 - it may be missing

        core = [
            Extension(
                f"carcassonne.core.{name}",
                [f"carcassonne/core/{name}.py"],
                define_macros=[("Py_LIMITED_API", "0x030B0000")],
                py_limited_api=True,
            )
            for name in _MODULES
        ]
        found: list[Extension] = cythonize(
            core, compiler_directives=_DIRECTIVES, build_dir="build/cython", quiet=True
        )
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a build without it is a build
        _give_up(error)
        return []
    return found


setup(
    ext_modules=_extensions(),
    cmdclass={"build_ext": BuildCore},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
