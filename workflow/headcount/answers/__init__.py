"""What a reply says, what a team answers."""
