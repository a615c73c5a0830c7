"""What servers of the OpenAI chat interface have in common, and where each of them differs."""
