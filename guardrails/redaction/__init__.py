"""Evidence in, RedactedEvidence out: disclosure, secrets, terms, neutralising."""
