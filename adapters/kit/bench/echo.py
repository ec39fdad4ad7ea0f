"""Echoes each chunk as text: what a sweep costs when the implementation costs nothing."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from anysplit_kit import serve  # noqa: E402 (the path comes first)


class Echo:
    def feed(self, chunk):
        return [{"type": "text", "text": chunk}]

    def finish(self):
        return None


serve({"inline-tag": Echo}, name="echo (python)", version="1.0")
