"""Installs the checkout as one package: its root is `tsc`, its folders are `tsc.compiler` and `tsc.runtime`.

So nothing but `tsc` is put on anybody's path. Everything else about the project is in pyproject.toml.
"""

from setuptools import find_namespace_packages, setup

FOLDERS = ["compiler*", "runtime*"]

setup(
    package_dir={"tsc": "."},
    packages=["tsc", *(f"tsc.{name}" for name in find_namespace_packages(include=FOLDERS))],
)
