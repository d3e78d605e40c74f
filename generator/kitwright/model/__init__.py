"""What is true of games, layouts and papers: frozen values, no files, no drawing."""
