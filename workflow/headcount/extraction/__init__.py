"""From the text of a reply to the answer in it, with the rule that found it."""
