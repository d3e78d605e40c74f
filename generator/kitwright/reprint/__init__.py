"""The second print: what was printed, what has changed since, and what to pull out of the box."""
