"""A change contract proposed out of a change and what people wrote of it, which approves nothing (Change Contracts)."""
