"""What is asked: a question out of its words, and questions for an objective."""
