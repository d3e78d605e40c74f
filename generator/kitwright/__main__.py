"""Run with python -m kitwright."""

from kitwright.cli import main

if __name__ == "__main__":
    main()
