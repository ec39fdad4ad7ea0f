"""An anysplit adapter. Run it with: anysplit run --dialect inline-tag --target 'python3 adapter.py'"""

import json
import re

from anysplit_kit import Unsupported, serve

# Replace this parser with yours: import it, and turn what it gives into events in `feed` and `finish`.
#
# This one is wrong on purpose. It looks for whole markers in each chunk alone, so it passes what comes in one piece and
# loses every call that a chunk boundary cuts. anysplit shows where.

MARKER = re.compile(
    r'<tool_call[ \t\r\n]+name="([^"<>\r\n]+)"(?:[ \t\r\n]+args=(\{.*?\}))?[ \t\r\n]*>[ \t\r\n]*</tool_call>',
    re.DOTALL,
)


class Parser:
    def __init__(self, options):
        # A setting that your parser does not have makes a case not applicable; it is neither passed nor failed.
        if "limit" in options:
            raise Unsupported("option", "no limit can be set")

    def feed(self, chunk):
        """The events of this chunk; a list or a generator of dicts."""
        start = 0
        for marker in MARKER.finditer(chunk):
            try:
                args = json.loads(marker[2] or "{}")
            except ValueError:
                continue  # no call: it stays in the text
            yield from text(chunk[start : marker.start()])
            yield {"type": "tool_call", "name": marker[1], "args": args}
            start = marker.end()
        yield from text(chunk[start:])

    def finish(self):
        """What was held back until the end; this parser holds nothing."""
        return []


def text(content):
    return [{"type": "text", "text": content}] if content else []


serve({"inline-tag": Parser}, name="my parser", version="0.1")
