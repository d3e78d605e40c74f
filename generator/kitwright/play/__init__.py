"""Bots, solvers, simulations and checks. They see games through kitwright.engines and the model."""
