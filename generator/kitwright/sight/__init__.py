"""How a kit looks to everyone: colours through other eyes, contrast, size of type, ink."""
