"""What source text declares, imports, calls and tests, read without running any of it (Change Contracts: fact clauses)."""
