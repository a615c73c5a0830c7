"""Facts of Rust, read from its syntax; nothing of the text is expanded or run (Change Contracts: fact clauses)."""
