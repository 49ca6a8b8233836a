"""Installed packages that hold an engine's native code, which are made for some platforms only."""

import platform
import sys
from dataclasses import dataclass
from importlib import metadata, util

from adjudicator.errors import EngineUnavailableError


@dataclass(frozen=True, slots=True)
class EnginePackage:
    """A package with an engine: its name, the module to import, and what to install for it."""

    name: str
    module: str
    requirement: str

    def version(self) -> str:
        """The version that is installed; nothing is imported or started.

        Raises: EngineUnavailableError that says what to do.
        """
        try:
            version = metadata.version(self.name)
        except metadata.PackageNotFoundError:
            version = ""
        if not version or util.find_spec(self.module) is None:
            here = f"{platform.python_implementation()} {platform.python_version()} on {sys.platform}"
            raise EngineUnavailableError(
                f"The package {self.name} is not installed for {here} {platform.machine()}. It is made for "
                "CPython 3.10 to 3.13 on Linux x86_64, macOS arm64 and Windows x86_64: use CPython 3.11 to "
                f"3.13 there and run 'python -m pip install {self.requirement}', or choose another engine."
            )
        return version

    def is_installed(self) -> bool:
        """Whether it is installed here; nothing is imported or started."""
        try:
            self.version()
        except EngineUnavailableError:
            return False
        return True

    def unloadable(self, error: ImportError) -> EngineUnavailableError:
        """The error where it is installed and cannot be imported."""
        return EngineUnavailableError(f"The package {self.name} is installed but does not load: {error}")
