"""From rules.md, the model, the faces and the engine to the blocks of a rulebook, and its pages."""
