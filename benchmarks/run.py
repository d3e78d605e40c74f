"""Measure the press and the players, and print ratios within this run: `make bench`.

Nothing here is asserted: machines differ. The column `want` says what we hold ourselves to.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import exports
import images
import kit
import play
import scale
import warm


def main() -> None:
    """Run every benchmark."""
    for part in (kit, warm, scale, images, exports, play):
        part.main()


if __name__ == "__main__":
    main()
