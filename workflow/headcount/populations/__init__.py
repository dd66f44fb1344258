"""Agents with known parameters, as numbers: what they answer, what they share, and how they heed each other.

An answer is its rank among the answers to its item: 0 is right, 1 the likeliest wrong one, and so on. Both paths of
the simulated engine are made of this: the one that reads prompts, an agent at a time, and the one that fills tables.
"""
