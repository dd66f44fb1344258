"""The one exception that a user is meant to read."""


class UserError(Exception):
    """A mistake in the user's input: the message says what is wrong, where, and what to do."""
