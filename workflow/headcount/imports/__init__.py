"""Other people's saved debates and probes: read, checked row by row, and converted to our tables."""
