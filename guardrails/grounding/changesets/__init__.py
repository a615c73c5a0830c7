"""The rules of changesets alone."""
