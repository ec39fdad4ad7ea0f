"""The anysplit adapter kit for Python: one file, standard library only, Python 3.9 or newer.

    from anysplit_kit import serve

    class Parser:
        def feed(self, chunk): ...      # returns or yields events (dicts); None means none
        def finish(self): ...

    serve({"inline-tag": Parser}, name="my parser", version="1.0")

It speaks version 1 of the adapter protocol (spec/PROTOCOL.md of anysplit). README.md says what else `serve` takes.
"""

import base64
import functools
import hashlib
import inspect
import io
import itertools
import json
import os
import pickle
import sys
import traceback

__all__ = ["Unsupported", "machine", "serve"]

PROTOCOL = 1
KINDS = ("text", "bytes", "objects")
REFUSALS = ("protocol", "cmd", "dialect", "option")

# What the cases of a dialect are, where the adapter does not say how it is fed.
TEXT_DIALECTS = ("markdown-fence", "inline-tag", "tool-session")
BYTES_DIALECTS = ("sse", "ndjson")
OBJECTS_DIALECTS = ("chat-chunks", "default-expanded", "ai-sdk-parts", "tool-stages")

# ASCII only, so that a lone surrogate in an event is an escape and not an encoding error. NaN is no JSON and is refused.
_encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Unsupported(Exception):
    """Raise it from a constructor or from `feed`: this case cannot be put to the implementation.

    `what` is "option" (it has no such setting), "dialect", "cmd" or "protocol"; `reason` is for people.
    """

    def __init__(self, what, reason=""):
        if what not in REFUSALS:
            raise ValueError(f"Unsupported takes one of {', '.join(REFUSALS)}, not {what!r}")
        super().__init__(what, reason)
        self.what = what
        self.reason = str(reason)


class machine:
    """Marks a callable that makes instances with `feed` and `finish`: `serve({"inline-tag": machine(make)}, …)`."""

    def __init__(self, factory):
        if not callable(factory):
            raise TypeError(f"machine() takes a callable, not {factory!r}")
        self.factory = factory


def serve(dialects, *, name, version=None, accepts=None, violations=False, fork=True):
    """Answers the requests on standard input until `bye` or its end.

    dialects    dialect -> class, generator function `(chunks, options)` or `machine(factory)`
    accepts     "text", "bytes" or "objects", or a dict from dialect to one of these or a list of them
    violations  whether `violation` events are given
    fork        False: never offer to copy instances, because not all of their state is in them
    """
    adapter = _Adapter(dialects, name, version, accepts, violations, fork)
    requests, answers = _take_pipes()
    for line in requests:
        answer = adapter.answer(line)
        if answer is None:
            return
        try:
            _write(answers, answer.encode("ascii") + b"\n")
        except BrokenPipeError:
            return  # nobody reads any more


def _take_pipes():
    """Takes standard input and output for the protocol and leaves others in their place.

    It is done with the descriptors themselves, so that what a C library or a child process writes cannot get between the answers.
    """
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.dup(1)
    os.dup2(2, 1)
    # What was printed while modules were imported is still in the buffer: it goes to standard error now.
    sys.stdout.flush()
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.stdout = sys.stderr
    return requests, answers


def _write(descriptor, data):
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class _Adapter:
    """Turns a request line into an answer line."""

    def __init__(self, dialects, name, version, accepts, violations, fork):
        if not dialects:
            raise ValueError("there is no dialect to serve")
        self.subjects = {dialect: _subject(dialect, given) for dialect, given in dialects.items()}
        self.name = str(name)
        self.version = None if version is None else str(version)
        self.accepts = _checked_accepts(accepts)
        self.violations = violations
        self.may_fork = fork
        self.walking = None

    def answer(self, line):
        """The answer without its line end, or None where it is time to exit."""
        request_id = None
        try:
            request = _parse(line)
            request_id = _request_id(request)
            command = request.get("cmd")
            if command == "bye":
                return None
            return _answer(request_id, self._dispatch(command, request))
        except Unsupported as refusal:
            return _answer(request_id, {"unsupported": _encode(refusal.what), "reason": _encode(refusal.reason)})
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # `sys.exit()` in an implementation is its error too, not the adapter's end
            return _answer(request_id, _error(error))

    def _dispatch(self, command, request):
        commands = {"hello": self._hello, "run": self._run, "sweep": self._sweep}
        if self._forks:
            commands.update(walk=self._walk, fork=self._fork, finish=self._finish)
        if not isinstance(command, str) or command not in commands:
            raise Unsupported("cmd", f"there are {', '.join(commands)} and bye")
        return commands[command](request)

    @functools.cached_property
    def _forks(self):
        """Whether instances can be copied; found out by trying it with new ones, once."""
        return self.may_fork and all(subject.can_fork() for subject in self.subjects.values())

    def _hello(self, request):
        if request.get("protocol") != PROTOCOL:
            raise Unsupported("protocol", f"I speak {PROTOCOL}")
        caps = ["sweep"]
        if self._forks:
            caps += ["fork", "fingerprint"]
        if self.violations:
            caps.append("violations")
        greeting = {
            "protocol": PROTOCOL,
            "name": self.name,
            "version": self.version,
            "language": "python",
            "dialects": list(self.subjects),
            "accepts": self.accepts,
            "caps": caps,
        }
        return {field: _encode(value) for field, value in greeting.items() if value is not None}

    def _run(self, request):
        subject, options, kind = self._asked(request)
        chunks = [_decode_chunk(chunk, kind) for chunk in _list(request, "chunks")]
        out = []
        try:
            subject.play(options, chunks, out)
        except (Unsupported, KeyboardInterrupt):
            raise
        except BaseException as error:
            return {**_error(error), "out": _lists(out)}
        return {"out": _lists(out)}

    def _sweep(self, request):
        subject, options, kind = self._asked(request)
        source = _source(_list(request, "atoms"), kind)
        numbers = {}
        runs = []
        for cuts in _list(request, "cuts"):
            outcome = _outcome(subject, options, source.chunks(cuts))
            runs.append(numbers.setdefault(outcome, len(numbers)))
        return {"outcomes": "[" + ",".join(numbers) + "]", "runs": _encode(runs)}

    def _walk(self, request):
        subject, options, kind = self._asked(request)
        self.walking = None
        walk = _Walk(_source(_list(request, "atoms"), kind))
        state = walk.begin(subject.make(options))
        self.walking = walk
        return {"state": _encode(state)}

    def _fork(self, request):
        walk = self._current_walk()
        frozen = walk.frozen(request.get("at"), request.get("state"))
        walk.forget_before(request["at"])
        numbers = {}
        steps = []
        for end in _list(request, "ends"):
            out = []
            try:
                state = walk.step(frozen, request["at"], end, out)
            except (Unsupported, KeyboardInterrupt):
                raise
            except BaseException as error:
                return {**_error(error), "out": _lists([_flat(out)])}
            outcome = _events(_flat(out))
            steps.append([numbers.setdefault(outcome, len(numbers)), state])
        return {"outcomes": "[" + ",".join(numbers) + "]", "steps": _encode(steps)}

    def _finish(self, request):
        walk = self._current_walk()
        instance = _thaw(walk.frozen(walk.source.length, request.get("state")))
        out = []
        try:
            _collect(instance.finish(), out)
        except (Unsupported, KeyboardInterrupt):
            raise
        except BaseException as error:
            return {**_error(error), "out": _lists(out)}
        return {"out": _lists(out)}

    def _current_walk(self):
        if self.walking is None:
            raise ValueError("bad request: there was no walk")
        return self.walking

    def _asked(self, request):
        """The subject, the options and the kind of chunks that a request means."""
        dialect = request.get("dialect")
        subject = self.subjects.get(dialect) if isinstance(dialect, str) else None
        if subject is None:
            raise Unsupported("dialect", f"only {', '.join(self.subjects)}")
        options = request.get("options", {})
        if not isinstance(options, dict):
            raise ValueError("bad request: `options` is no object")
        if options and not subject.takes_options:
            raise Unsupported("option", f"it has no settings, so not {', '.join(options)}")
        return subject, options, self._kind(dialect, options)

    def _kind(self, dialect, options):
        accepted = self.accepts.get(dialect) if isinstance(self.accepts, dict) else self.accepts
        if accepted is None:
            accepted = _default_kind(dialect)
        accepted = [accepted] if isinstance(accepted, str) else accepted
        natural = _natural_kind(dialect, options)
        if natural in accepted:
            return natural
        if "transport" in options and dialect in OBJECTS_DIALECTS:
            raise Unsupported("option", "it takes no bytes, so there is no transport")
        return accepted[0]


# Subjects: what `serve` was given for a dialect.


def _subject(dialect, given):
    if isinstance(given, machine):
        return _Instances(given.factory)
    if inspect.isgeneratorfunction(given):
        return _Pull(given)
    if not inspect.isclass(given):
        raise TypeError(f"{dialect}: give a class, a generator function or machine(factory), not {given!r}")
    for method in ("feed", "finish"):
        if not callable(getattr(given, method, None)):
            raise TypeError(f"{dialect}: {given.__name__} has no method {method}")
    return _Instances(given)


class _Instances:
    """A class or factory of instances with `feed` and `finish`."""

    def __init__(self, factory):
        self.factory = factory
        self.takes_options = _positional(factory) >= 1

    def make(self, options):
        # Each instance gets options of its own: one that takes something out of them must not change the next run.
        return self.factory(_copy_json(options)) if self.takes_options else self.factory()

    def play(self, options, chunks, out):
        """One run; `out` grows as the events come, so that it holds what there was before an error."""
        instance = self.make(options)
        for chunk in chunks:
            _collect(instance.feed(chunk), out)
        _collect(instance.finish(), out)

    def can_fork(self):
        if not inspect.isclass(self.factory):
            return False
        try:
            frozen = _freeze(self.make({}))
            return _freeze(_thaw(frozen)) == frozen
        except Exception:
            return False


class _Pull:
    """A generator function that takes an iterator of chunks and yields events."""

    def __init__(self, function):
        self.function = function
        self.takes_options = _positional(function) >= 2

    def play(self, options, chunks, out):
        chunks = list(chunks)
        pulled = _pulled(chunks, out)
        events = self.function(pulled, _copy_json(options)) if self.takes_options else self.function(pulled)
        out.append([])
        for event in events:
            out[-1].append(_encode_event(event))
        out.extend([] for _ in range(len(chunks) + 1 - len(out)))  # it stopped before the end

    def can_fork(self):
        return False


def _pulled(chunks, out):
    """The chunks one by one; with each that is asked for, and with their end, another list of `out` begins.

    The first list is there already: what comes before anything was pulled counts for the first chunk.
    """
    for number, chunk in enumerate(chunks):
        if number > 0:
            out.append([])
        yield chunk
    if chunks:
        out.append([])


def _positional(function):
    """How many arguments it takes by position; `*args` is as many as one likes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some built-in callables have no signature
        return 0
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    return sum(parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD) for parameter in parameters)


# Events. They are encoded the moment they come: an implementation may go on changing an object that it gave out.


def _collect(events, out):
    came = []
    out.append(came)
    if events is None:
        return
    if isinstance(events, dict):
        events = (events,)
    elif isinstance(events, (str, bytes)) or not hasattr(events, "__iter__"):
        raise TypeError(f"feed and finish return or yield events (dicts), not {type(events).__name__}")
    for event in events:
        came.append(_encode_event(event))


def _encode_event(event):
    if not isinstance(event, dict):
        raise TypeError(f"an event is a dict, not {type(event).__name__}")
    if not isinstance(event.get("type"), str):
        raise TypeError('an event has a string "type"')
    try:
        return _encode(event)
    except (RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"JSON cannot hold this event: {error}") from None


def _outcome(subject, options, chunks):
    """One run of a sweep as JSON: its events, or its error."""
    out = []
    try:
        subject.play(options, chunks, out)
    except (Unsupported, KeyboardInterrupt):
        raise
    except BaseException as error:
        # One list, whatever the cuts: the same events and the same error are the same outcome.
        fields = {**_error(error), "out": _lists([_flat(out)])}
        return "{" + _members(fields) + "}"
    return _events(_flat(out))


def _flat(out):
    return list(itertools.chain.from_iterable(out))


def _events(encoded):
    return "[" + ",".join(encoded) + "]"


def _lists(out):
    return "[" + ",".join(map(_events, out)) + "]"


# Input: how chunks, atoms and cuts become what an implementation is fed.


def _decode_chunk(chunk, kind):
    if kind == "objects":
        return chunk
    if not isinstance(chunk, str):
        raise ValueError(f"bad request: a chunk of {kind} is a string")
    return base64.b64decode(chunk, validate=True) if kind == "bytes" else chunk


def _source(atoms, kind):
    return _Items(atoms) if kind == "objects" else _Joined(atoms, kind)


class _Joined:
    """Text or bytes: atoms joined once, chunks are slices."""

    def __init__(self, atoms, kind):
        atoms = [_decode_chunk(atom, kind) for atom in atoms]
        self.whole = (b"" if kind == "bytes" else "").join(atoms)
        self.length = len(atoms)
        self.borders = [0, *itertools.accumulate(map(len, atoms))]

    def chunks(self, cuts):
        marks = [self.borders[cut] for cut in cuts]
        return [self.whole[start:end] for start, end in zip([0, *marks], [*marks, len(self.whole)])]

    def between(self, at, end):
        return [self.whole[self.borders[at] : self.borders[end]]]


class _Items:
    """Items, each its own chunk. Each run gets its own copies, because reducers like to change what they are given."""

    def __init__(self, atoms):
        self.length = len(atoms)
        self.texts = [json.dumps(atom) for atom in atoms]

    def chunks(self, cuts):
        return map(json.loads, self.texts)

    def between(self, at, end):
        return map(json.loads, self.texts[at:end])


def _copy_json(value):
    return json.loads(json.dumps(value)) if value else {}


# Walks: an instance is kept frozen (pickled). To copy it is to thaw it, and the digest of the frozen bytes is its fingerprint.


class _Walk:
    def __init__(self, source):
        self.source = source
        self.states = {}

    def begin(self, instance):
        return self._keep(0, instance)

    def frozen(self, at, state):
        try:
            return self.states[at][state]
        except KeyError:
            raise ValueError(f"bad request: no instance stands at {at} with state {state!r}") from None

    def forget_before(self, at):
        self.states = {offset: states for offset, states in self.states.items() if offset >= at}

    def step(self, frozen, at, end, out):
        if not at <= end <= self.source.length:
            raise ValueError(f"bad request: {end} is no end behind {at}")
        instance = _thaw(frozen)
        for chunk in self.source.between(at, end):
            _collect(instance.feed(chunk), out)
        return self._keep(end, instance)

    def _keep(self, at, instance):
        try:
            frozen = _freeze(instance)
        except Exception as error:  # a new instance could be copied, this one cannot: no verdict on the implementation
            raise Unsupported("cmd", f"this state cannot be copied: {_message(error)}") from error
        state = hashlib.blake2b(frozen, digest_size=16).hexdigest()
        self.states.setdefault(at, {}).setdefault(state, frozen)
        return state


class _Freezer(pickle.Pickler):
    """Pickles so that equal states give equal bytes more often.

    Pickle writes the second mention of the same object as a reference, so two equal strings look different from one string mentioned
    twice. For strings and bytes that difference means nothing, and giving each mention a persistent id of its own removes it. For
    what can be changed it does mean something (who changes the one changes the other), and there pickle's references stay.
    """

    def persistent_id(self, value):
        if type(value) is str:
            return "s" + value
        if type(value) is bytes:
            return b"b" + value
        if type(value) is object:  # a sentinel: a copy of it would no longer be it
            raise pickle.PicklingError("a bare object() loses its identity in a copy")
        return None


class _Thawer(pickle.Unpickler):
    def persistent_load(self, persistent_id):
        return persistent_id[1:]


def _freeze(instance):
    buffer = io.BytesIO()
    _Freezer(buffer, protocol=4).dump(instance)
    return buffer.getvalue()


def _thaw(frozen):
    return _Thawer(io.BytesIO(frozen)).load()


# Lines.


def _parse(line):
    try:
        request = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"bad request: the line is no JSON: {error}") from None
    if not isinstance(request, dict):
        raise ValueError("bad request: the line is no object")
    return request


def _request_id(request):
    request_id = request.get("id")
    if type(request_id) is not int:
        raise ValueError("bad request: `id` is no integer")
    return request_id


def _list(request, field):
    value = request.get(field)
    if not isinstance(value, list):
        raise ValueError(f"bad request: `{field}` is no list")
    return value


def _answer(request_id, fields):
    """An answer of fields that are JSON already."""
    return "{" + _members({"id": _encode(request_id), **fields}) + "}"


def _members(fields):
    return ",".join(f'"{field}":{value}' for field, value in fields.items())


def _error(error):
    return {"error": _encode(_message(error)), "trace": _encode(_trace(error))}


def _message(error):
    return traceback.format_exception_only(type(error), error)[-1].strip()


def _trace(error):
    """The last frames, without the kit's own at the top: they are not what one looks for."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames, limit=-20)).strip()


# How a dialect is fed.


def _default_kind(dialect):
    if dialect in BYTES_DIALECTS:
        return "bytes"
    return "objects" if dialect in OBJECTS_DIALECTS else "text"


def _natural_kind(dialect, options):
    """What the case itself is: a lifecycle dialect is bytes where there is a transport."""
    kind = _default_kind(dialect)
    return "bytes" if kind == "objects" and "transport" in options else kind


def _checked_accepts(accepts):
    if accepts is None:
        return None
    values = list(accepts.values()) if isinstance(accepts, dict) else [accepts]
    for value in values:
        kinds = [value] if isinstance(value, str) else list(value)
        if not kinds or any(kind not in KINDS for kind in kinds):
            raise ValueError(f"accepts: one of {', '.join(KINDS)}, not {value!r}")
    if isinstance(accepts, dict):
        return {dialect: value if isinstance(value, str) else list(value) for dialect, value in accepts.items()}
    if not isinstance(accepts, str):
        raise ValueError("accepts: a list is given per dialect, in a dict")
    return accepts
