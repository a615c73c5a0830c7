"""Where evidence comes from: git, documents, answers."""
