"""What answers a request: an OpenAI-compatible server behind one client, a simulated population, or a stored cache."""
