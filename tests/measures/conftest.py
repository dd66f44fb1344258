"""Settings of the property tests."""
