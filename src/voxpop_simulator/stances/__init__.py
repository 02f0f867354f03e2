"""Where an agent stands: what its profile says, what it leans to, and the coded answer that follows."""
