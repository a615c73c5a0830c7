"""Packages without a look at files: names, built-ins, what exports say (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

ASSETS: Final = (
    *(".css", ".scss", ".sass", ".less", ".styl", ".html", ".wasm", ".glsl", ".frag", ".vert", ".pdf", ".txt", ".md", ".csv"),
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".woff", ".woff2", ".ttf", ".otf", ".eot"),
    *(".mp3", ".mp4", ".webm", ".wav", ".ogg", ".xml", ".yml", ".yaml", ".toml"),
)
BUILT_IN: Final = (
    *(
        "assert",
        "async_hooks",
        "buffer",
        "child_process",
        "cluster",
        "console",
        "constants",
        "crypto",
        "dgram",
        "dns",
        "domain",
    ),
    *(
        "diagnostics_channel",
        "events",
        "fs",
        "http",
        "http2",
        "https",
        "inspector",
        "module",
        "net",
        "os",
        "path",
        "perf_hooks",
    ),
    *("process", "punycode", "querystring", "readline", "repl", "stream", "string_decoder", "timers", "tls", "trace_events"),
    *("tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib"),
)
_EXPORTS: Final = 2_000
"""So many exports of a package are looked through; one that has more is decided by none."""
SCHEMES: Final = ("node:", "bun:", "npm:", "jsr:", "http:", "https:", "data:", "virtual:", "cloudflare:")


def names(specifier: str) -> Iterator[str]:
    """The name of the package that a specifier may be of."""
    parts = specifier.split("/")
    yield "/".join(parts[:2]) if specifier.startswith("@") else parts[0]


def exported(exports: object, wanted: str) -> Iterator[str]:
    """Every path that `exports` or `imports` may give for `wanted`, under whatever condition."""
    if isinstance(exports, dict) and len(exports) > _EXPORTS:
        return
    if isinstance(exports, dict) and any(isinstance(key, str) and key.startswith((".", "#")) for key in exports):
        for key, value in exports.items():
            before, star, after = str(key).partition("*")
            if key == wanted:
                yield from _conditions(value, "")
            elif star and wanted.startswith(before) and wanted.endswith(after) and len(wanted) >= len(key):
                yield from _conditions(value, wanted[len(before) : len(wanted) - len(after)])
    elif wanted == ".":
        yield from _conditions(exports, "")


def _conditions(value: object, middle: str) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one.replace("*", middle)
        elif isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
