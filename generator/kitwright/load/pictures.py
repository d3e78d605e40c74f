"""Pictures on disk: whether a path stays in the project, and what a picture's header says.

Opens files only to look at them; nothing here keeps or draws a pixel.
"""

from __future__ import annotations

import os
import re
import warnings
from hashlib import blake2b
from io import BytesIO
from pathlib import Path, PurePosixPath

from kitwright.model.picture import PictureInfo
from kitwright.problems import MachineError, Place, Problem, did_you_mean

FORMATS = ("PNG", "JPEG", "WEBP")
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
MOST_MEGAPIXELS = 50
OTHERS = {  # how files of other kinds begin
    b"%!PS": "an EPS file",
    b"\xc5\xd0\xd3\xc6": "an EPS file",
    b"8BPS": "a Photoshop file",
    b"II*\x00": "a TIFF file",
    b"MM\x00*": "a TIFF file",
    b"GIF8": "a GIF file",
    b"BM": "a BMP file",
    b"%PDF": "a PDF file",
}


def inside(root: Path, value: str, place: Place) -> Path | Problem:
    """Return the file that `value` names under `root`, unless it leads out of it."""
    parts = PurePosixPath(value).parts
    strange = (
        value.startswith("/")
        or "\\" in value
        or "\0" in value
        or ".." in parts
        or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", value)  # a drive or a URL
        or re.search(r"%[0-9A-Fa-f]{2}", value)
    )
    message = f"'{value}' leads outside the project; expected a path inside it, such as 'art/x.png'"
    if strange:
        return Problem(place, "outside-project", message)
    home = Path(os.path.realpath(root))
    found = Path(os.path.realpath(home / value))
    if not found.is_relative_to(home):
        return Problem(place, "outside-project", f"{message}; a link in it points elsewhere")
    try:
        os.path.realpath(home / value, strict=True)
    except (FileNotFoundError, NotADirectoryError):
        return found
    except OSError:  # too many links, or a name that no file can have
        message = f"'{value}' cannot be followed; expected a file, not links that go in a circle"
        return Problem(place, "outside-project", message)
    return found


def check_picture(path: Path, place: Place) -> PictureInfo | Problem:
    """Look at a picture's header and its wholeness; `place` is where the YAML names it."""
    if not path.is_file():
        known = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, known)
        message = f"there is no picture '{path.name}'; expected a PNG, JPEG, WebP or SVG file{hint}"
        return Problem(place, "missing-asset", message)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MachineError(f"cannot read '{path}': {error.strerror}") from error
    if other := _other_kind(path, data):
        message = f"'{path.name}' is {other}; expected PNG, JPEG, WebP or SVG"
        return Problem(place, "picture-format", message)
    try:
        width, height = _look(data)
    except _TooLargeError:
        found = f"'{path.name}' has over {MOST_MEGAPIXELS} million pixels"
        message = f"{found}; expected fewer; scale it down"
        return Problem(place, "picture-too-large", message)
    except (OSError, SyntaxError, ValueError):
        message = f"'{path.name}' is broken or not a picture; expected a whole PNG, JPEG or WebP"
        return Problem(place, "bad-picture", f"{message}; save it again")
    return PictureInfo(path, width, height, blake2b(data, digest_size=10).hexdigest())


class _TooLargeError(Exception):
    pass


def _other_kind(path: Path, data: bytes) -> str:
    for start, kind in OTHERS.items():
        if data.startswith(start):
            return kind
    if path.suffix.lower() not in SUFFIXES:
        return f"a '{path.suffix}' file" if path.suffix else "a file without an ending"
    return ""


def _look(data: bytes) -> tuple[int, int]:
    """Return the pixels across and down, once the data is known to be whole."""
    from PIL import Image  # only games with pictures pay for the import

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise _TooLargeError from None
    width, height = picture.size
    if width * height > MOST_MEGAPIXELS * 1_000_000:
        raise _TooLargeError
    if picture.format == "PNG":
        picture.verify()
    else:  # these have no checksums: unpack, a JPEG at an eighth of its size
        picture.draft("RGB", (max(1, width // 8), max(1, height // 8)))
        picture.load()
    return width, height
