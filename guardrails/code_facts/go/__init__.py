"""Facts of Go (Change Contracts: fact clauses)."""
