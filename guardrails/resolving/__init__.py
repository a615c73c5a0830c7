"""What evidence, profile, rules and answers decide without a model."""
