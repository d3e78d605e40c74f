"""The values of a PDF document: ReportLab's, but written out in one go.

ReportLab asks every value how it is written, ten calls a number. A kit has tens of thousands of
names, numbers and references, which need no asking; everything else still goes its way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFDocument,
    PDFName,
    PDFObjectReference,
    PDFStream,
)
from reportlab.pdfbase.pdfdoc import format as ask

from kitwright.write.numbers import Numbers

_NUMBERS = Numbers(6)


@lru_cache(maxsize=4096)
def pdf_name(text: str) -> str:
    """Return a name as a value: `/Page`."""
    return str(PDFName(text))


def _written(value: Any, document: PDFDocument) -> bytes:
    kind = type(value)
    if kind is str:
        return bytes(value.encode("ascii"))
    if kind is PDFObjectReference:
        return b"%d %d R" % document.idToObjectNumberAndVersion[value.name]
    if kind is int or kind is float:
        return _NUMBERS[value].encode("ascii")
    if kind is Dictionary or kind is Array:
        return bytes(value.format(document))
    return bytes(ask(value, document))


class Dictionary(PDFDictionary):  # type: ignore[misc]  # reportlab has no types
    """Values by name."""

    def format(self, document: PDFDocument) -> bytes:
        """Return the dictionary in the order of its names."""
        lines = [
            pdf_name(key).encode("ascii") + b" " + _written(value, document)
            for key, value in sorted(self.dict.items())
        ]
        return b"<<\n" + b"\n".join(lines) + b"\n>>"


class Array(PDFArray):  # type: ignore[misc]
    """Values in a row."""

    def format(self, document: PDFDocument) -> bytes:
        """Return the row."""
        return b"[ " + b" ".join(_written(each, document) for each in self.sequence) + b" ]"


class Stream(PDFStream):  # type: ignore[misc]
    """Bytes that are already packed as their entries say."""

    def __init__(self, entries: Mapping[str, object], content: bytes) -> None:
        super().__init__(Dictionary({**entries, "Length": len(content)}), content)

    def format(self, document: PDFDocument) -> bytes:
        """Return the entries and the bytes."""
        return bytes(
            self.dictionary.format(document) + b"\nstream\n" + self.content + b"\nendstream\n"
        )
