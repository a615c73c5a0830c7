"""The languages of text by the ends of names, so that unread ones are told (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_ENDINGS: Final[Mapping[str, str]] = {
    "Astro": ".astro",
    "C": ".c .h",
    "C#": ".cs",
    "C++": ".cc .cpp .cxx .hh .hpp .hxx .ipp",
    "Clojure": ".clj .cljc .cljs",
    "CoffeeScript": ".coffee",
    "Crystal": ".cr",
    "Cython": ".pyx .pxd",
    "Dart": ".dart",
    "Elixir": ".ex .exs",
    "Elm": ".elm",
    "Erlang": ".erl .hrl",
    "F#": ".fs .fsi .fsx",
    "Fortran": ".f90 .f95",
    "Go": ".go",
    "Groovy": ".groovy .gradle",
    "Haskell": ".hs",
    "Java": ".java",
    "JavaScript": ".js .jsx .mjs .cjs",
    "Jupyter": ".ipynb",
    "Julia": ".jl",
    "Kotlin": ".kt .kts",
    "Lua": ".lua",
    "MDX": ".mdx",
    "Nim": ".nim",
    "OCaml": ".ml .mli",
    "Objective-C": ".m .mm",
    "PHP": ".php",
    "Perl": ".pl .pm",
    "PowerShell": ".ps1 .psm1",
    "Python": ".py .pyi",
    "R": ".r .R",
    "Ruby": ".rb .rake",
    "Rust": ".rs",
    "Scala": ".scala .sc",
    "Shell": ".sh .bash .zsh",
    "Solidity": ".sol",
    "Svelte": ".svelte",
    "Swift": ".swift",
    "TypeScript": ".ts .tsx .mts .cts",
    "Visual Basic": ".vb",
    "Vue": ".vue",
    "Zig": ".zig",
}
_LANGUAGES: Final = {ending: language for language, endings in _ENDINGS.items() for ending in endings.split()}


def language(path: str) -> str | None:
    """The programming language of a file by the end of its name; None where that is none that we know of."""
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    return _LANGUAGES.get(f".{ending}") if dot else None
