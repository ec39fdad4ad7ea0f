import sys
from importlib.metadata import version
from pathlib import Path

import sseclient

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kit" / "python"))
from anysplit_kit import serve


def parse(chunks):
    last_id = ""
    for event in sseclient.SSEClient(chunks).events():
        # The value of `retry` is handed on as it was written: what is a number is for the reader to say.
        if event.retry is not None and event.retry.isascii() and event.retry.isdigit():
            yield {"type": "retry", "retry": int(event.retry)}
        # The id of an event is what its own lines say: to keep the last one is left to the reader.
        if event.id is not None:
            last_id = event.id
        yield {"type": "event", "event": event.event, "data": event.data, "id": last_id}


serve({"sse": parse}, name="sseclient-py", version=version("sseclient-py"))
