"""The fields of a changeset: what evidence, profile, rules and answers decide of them."""
