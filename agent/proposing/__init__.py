"""A first Project Profile out of what a repository shows, every guess marked as a question (Intent Changesets 4, 10)."""
