"""Who is meant: from an audience in plain words to filters and questions to screen by."""
