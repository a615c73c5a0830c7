"""The fields of a pull-request record: what evidence, profile, rules and answers decide of them."""
