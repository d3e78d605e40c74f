"""What could go wrong at a print shop or on a table, found before anything is sent there."""
