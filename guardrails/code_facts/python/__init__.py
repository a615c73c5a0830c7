"""Facts of Python, read by its own parser; nothing of the text is imported or run (Change Contracts: fact clauses)."""
