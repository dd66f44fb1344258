"""From the answers of a team to what they amount to: diversity, votes, correctness."""
