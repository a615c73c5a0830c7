"""What a drafter may answer, and the drafts that come of it."""
