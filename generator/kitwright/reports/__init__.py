"""Reports of what bots have played: plots, rows of cards and sentences, as blocks and ops."""
