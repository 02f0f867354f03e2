"""Question understanding: reading a question from its text, and questions for an objective."""
