"""The fields of an envelope: what evidence, rules and answers decide of them."""
