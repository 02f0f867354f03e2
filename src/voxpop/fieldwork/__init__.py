"""To be described by its builder."""
