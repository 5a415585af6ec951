"""Installs the checkout as one package: its root is `tsc`, its folders are `tsc.compiler` and `tsc.runtime`.

So nothing but `tsc` is put on anybody's path. Everything else about the project is in pyproject.toml.
"""

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

FOLDERS = ["compiler*", "runtime*"]


class BuildWithoutThisFile(build_py):
    """Leaves out setup.py, which stands among the modules of `tsc`."""

    def find_package_modules(self, package, package_dir):
        modules = super().find_package_modules(package, package_dir)
        return [module for module in modules if module[1] != "setup"]


setup(
    cmdclass={"build_py": BuildWithoutThisFile},
    package_dir={"tsc": "."},
    packages=["tsc", *(f"tsc.{name}" for name in find_namespace_packages(include=FOLDERS))],
)
