"""Faces -> sheets of paper: duplex, fold, marks and bleed; nothing is composed again."""
