"""Change contracts: whether a change kept to what was agreed, decided by its two snapshots alone (Change Contracts)."""
