"""Prompts that a provider answers as a batch, at half the price and within a day."""
