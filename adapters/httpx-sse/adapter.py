import sys
from importlib.metadata import version
from pathlib import Path

import httpx
from httpx_sse import EventSource

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kit" / "python"))
from anysplit_kit import serve


class Body(httpx.SyncByteStream):
    """A response's body, as a transport hands it on: one piece for each chunk."""

    def __init__(self, chunks):
        self.chunks = chunks

    def __iter__(self):
        yield from self.chunks


def parse(chunks):
    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Body(chunks))
    for sse in EventSource(response).iter_sse():
        # `retry` is a field of the event around it, so it can only come with that.
        if sse.retry is not None:
            yield {"type": "retry", "retry": sse.retry}
        yield {"type": "event", "event": sse.event, "data": sse.data, "id": sse.id}


serve({"sse": parse}, name="httpx-sse", version=version("httpx-sse"))
