"""What all tests share."""

from hypothesis import settings

# A busy machine must not fail a test, and the whole suite has minutes.
settings.register_profile("steady", deadline=None, max_examples=40)
settings.load_profile("steady")
