"""Serve the small local model: `python -m evals.serving [PORT]`, until standard input ends.

It speaks the wires of OpenAI (`/v1/chat/completions`) and Anthropic (`/v1/messages`) on 127.0.0.1 only, says where on standard
output, and runs in a process of its own: neither the server nor the model (`requirements-model.lock`) belongs to the program.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Final

from evals.local_model import CONTEXT, NAME, weights

_ANY_FREE: Final = 0


def main() -> int:
    """Serve until nobody holds the other end of standard input: whoever started this and is gone needs no server."""
    engine = importlib.import_module("xllamacpp")
    settings = engine.CommonParams()
    settings.model.path = str(weights())
    settings.model_alias = {NAME}
    settings.hostnames = ["127.0.0.1"]
    settings.port = int(sys.argv[1]) if len(sys.argv) > 1 else _ANY_FREE
    settings.n_ctx, settings.n_parallel = CONTEXT, 1
    # More threads wait for one another on a machine that is shared, and take many times as long.
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.offline, settings.ui, settings.warmup, settings.verbosity = True, False, False, 0
    server = engine.Server(settings)
    print(server.listening_address, flush=True)
    sys.stdin.buffer.read()
    # The engine's threads are not worth waiting for.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
