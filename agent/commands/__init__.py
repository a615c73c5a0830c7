"""One file per command group: parse, call, print."""
