"""Facts of TypeScript and JavaScript, read from their syntax; nothing of the text is run (Change Contracts: fact clauses)."""
