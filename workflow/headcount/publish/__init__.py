"""What a reader gets: tables and figures, from a run's files, beside the published numbers."""
