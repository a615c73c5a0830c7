"""Paths whose text nobody wrote for a reader: lock files, generated code, vendored trees (Intent Changesets 11.1).

Their changed ranges are evidence; their text is left out, with a note.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_NAMES: Final = frozenset(
    b"""
    .terraform.lock.hcl Cargo.lock Chart.lock Gemfile.lock Package.resolved Pipfile.lock Podfile.lock bun.lock bun.lockb
    composer.lock conda-lock.yml deno.lock flake.lock go.sum gradle.lockfile mix.lock npm-shrinkwrap.json package-lock.json
    packages.lock.json pdm.lock pixi.lock pnpm-lock.yaml poetry.lock pubspec.lock pylock.toml requirements-dev.lock
    requirements.lock uv.lock yarn.lock
    """.split()
)
_ENDINGS: Final = (
    *(b".min.js", b".min.css", b".min.mjs", b".js.map", b".css.map", b".bundle.js", b".snap"),
    *(b".pb.go", b"_pb2.py", b"_pb2.pyi", b"_pb2_grpc.py", b".pb.cc", b".pb.h", b".g.dart", b".designer.cs"),
)
_FOLDERS: Final = frozenset((b"node_modules", b"bower_components", b"vendor", b"third_party", b"Pods", b"__snapshots__"))


@lru_cache(maxsize=256)
def is_generated(path: bytes) -> bool:
    """Whether `path` is a lock file, generated, or vendored, going by its name alone."""
    *folders, name = path.split(b"/")
    return name in _NAMES or name.endswith(_ENDINGS) or not _FOLDERS.isdisjoint(folders)
