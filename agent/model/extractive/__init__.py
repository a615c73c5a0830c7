"""The extractive drafter: picks and trims what evidence says."""
