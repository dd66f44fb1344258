"""The protocol: who is asked what, in which order, seeing which peers, and where the answers are kept."""
