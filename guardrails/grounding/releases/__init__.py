"""What holds of whole releases: every commit told or left out for a reason, nothing told twice unsaid (evidraft design 5)."""
