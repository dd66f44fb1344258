"""The questions of a task: read from their sources, checked row by row, brought into one table."""
