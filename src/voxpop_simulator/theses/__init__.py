"""What a thesis claims, who has to be asked about it, and what their answers say."""
