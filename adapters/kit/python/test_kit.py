"""Tests of the kit: adapters are started as child processes and spoken to as anysplit does. Run: python3 test_kit.py"""

import base64
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent

# Holds back a "<" until it knows what follows; tells "<b" apart. Small enough to walk, and its state matters.
HOLDING = """
    class Parser:
        def __init__(self):
            self.held = ""
        def feed(self, chunk):
            for character in chunk:
                if character == "<":
                    yield from self.flush()
                    self.held = "<"
                elif self.held and character == "b":
                    self.held = ""
                    yield {"type": "tool_call", "name": "b", "args": {}}
                else:
                    yield from self.flush()
                    yield {"type": "text", "text": character}
        def flush(self):
            held, self.held = self.held, ""
            return [{"type": "text", "text": held}] if held else []
        def finish(self):
            return self.flush()
"""

ECHO = """
    class Parser:
        def feed(self, chunk):
            return [{"type": "text", "text": chunk}]
        def finish(self):
            return None
"""
SERVE = 'serve({"inline-tag": Parser}, name="test")'


def text(content):
    return {"type": "text", "text": content}


class Adapter:
    """A running adapter."""

    def __init__(self, command, directory):
        environment = {**os.environ, "PYTHONPATH": str(HERE), "LC_ALL": "C"}
        environment.pop("PYTHONUNBUFFERED", None)  # what is printed before `serve` is only saved by the buffer
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=directory, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)
        self.ids = itertools.count(1)

    def send(self, request):
        self.write(json.dumps(request).encode() + b"\n")

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, cmd, **fields):
        number = next(self.ids)
        self.send({"id": number, "cmd": cmd, **fields})
        answer = self.receive()
        assert answer.pop("id") == number
        return answer

    def hello(self, **fields):
        return self.ask("hello", **{"protocol": 1, **fields})

    def run(self, chunks, options=None, dialect="inline-tag"):
        return self.ask("run", dialect=dialect, options=options or {}, chunks=chunks)

    def sweep(self, atoms, cuts, options=None, dialect="inline-tag"):
        return self.ask("sweep", dialect=dialect, options=options or {}, atoms=list(atoms), cuts=cuts)

    def walk(self, atoms, dialect="inline-tag"):
        return self.ask("walk", dialect=dialect, options={}, atoms=list(atoms))["state"]

    def end(self):
        """Ends the input; the exit code, and what was still written to standard output and standard error."""
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err.decode()


class KitTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.directory)

    def adapter(self, body, serve=SERVE):
        source = "from anysplit_kit import serve, machine, Unsupported\n" + textwrap.dedent(body) + "\n" + serve + "\n"
        path = pathlib.Path(self.directory, "adapter.py")
        path.write_text(source, encoding="utf-8")
        return self.start([sys.executable, str(path)])

    def start(self, command):
        adapter = Adapter(command, self.directory)
        self.addCleanup(self.stop, adapter.process)
        return adapter

    def stop(self, process):
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


class Messages(KitTest):
    def test_hello(self):
        serve = 'serve({"inline-tag": Parser, "sse": Parser}, name="n", version=2, accepts={"sse": ["bytes"]}, violations=True)'
        answer = self.adapter(ECHO, serve).hello(more="ignored")
        self.assertEqual(
            answer,
            {
                "protocol": 1,
                "name": "n",
                "version": "2",
                "language": "python",
                "dialects": ["inline-tag", "sse"],
                "accepts": {"sse": ["bytes"]},
                "caps": ["sweep", "fork", "fingerprint", "violations"],
            },
        )

    def test_hello_leaves_out_what_was_not_given(self):
        answer = self.adapter(ECHO).hello()
        self.assertNotIn("version", answer)
        self.assertNotIn("accepts", answer)

    def test_another_protocol(self):
        self.assertEqual(self.adapter(ECHO).hello(protocol=2), {"unsupported": "protocol", "reason": "I speak 1"})

    def test_run_gives_one_list_more_than_chunks(self):
        adapter = self.adapter(HOLDING)
        self.assertEqual(adapter.run(["a<", "b", "", "<"]), {"out": [[text("a")], [{"type": "tool_call", "name": "b", "args": {}}], [], [], [text("<")]]})
        self.assertEqual(adapter.run([]), {"out": [[]]})
        self.assertEqual(adapter.run([""]), {"out": [[], []]})

    def test_sweep(self):
        answer = self.adapter(ECHO).sweep("a <b", [[], [2], [1, 3], [], [0], [4], [2, 2]])
        first, second = [text("a <b")], [text("a "), text("<b")]
        third = [text("a"), text(" <"), text("b")]
        ends = [[text(""), text("a <b")], [text("a <b"), text("")], [text("a "), text(""), text("<b")]]
        self.assertEqual(answer, {"outcomes": [first, second, third, *ends], "runs": [0, 1, 2, 0, 3, 4, 5]})

    def test_sweep_equals_run_by_run(self):
        adapter = self.adapter(HOLDING)
        word = "<a<b<"
        cuts = [list(some) for count in range(5) for some in itertools.combinations(range(1, 5), count)]
        swept = adapter.sweep(word, cuts)
        for number, cut in zip(swept["runs"], cuts):
            chunks = [word[start:end] for start, end in zip([0, *cut], [*cut, 5])]
            self.assertEqual(swept["outcomes"][number], sum(adapter.run(chunks)["out"], []))

    def test_unknown_command_and_dialect(self):
        adapter = self.adapter(ECHO)
        self.assertEqual(adapter.ask("sing")["unsupported"], "cmd")
        self.assertEqual(adapter.ask(7)["unsupported"], "cmd")
        self.assertEqual(adapter.run([], dialect="sse")["unsupported"], "dialect")
        self.assertEqual(adapter.sweep([], [[]], dialect="sse")["unsupported"], "dialect")
        self.assertEqual(adapter.run(["a"]), {"out": [[text("a")], []]})

    def test_unreadable_lines(self):
        adapter = self.adapter(ECHO)
        for line in (b"{nonsense\n", b"\xff\xfe\n", b"[1]\n", b"\n", b'{"cmd":"hello"}\n', b'{"id":true,"cmd":"hello"}\n', b"[" * 100000 + b"\n"):
            adapter.write(line)
            answer = adapter.receive()
            self.assertIsNone(answer["id"])
            self.assertIn("bad request", answer["error"])
        self.assertEqual(adapter.run(["a"]), {"out": [[text("a")], []]})

    def test_bad_requests(self):
        adapter = self.adapter(ECHO)
        asked = {"dialect": "inline-tag", "options": {}}
        self.assertIn("chunks", adapter.ask("run", **asked)["error"])
        self.assertIn("string", adapter.ask("run", **asked, chunks=[1])["error"])
        self.assertIn("options", adapter.ask("run", dialect="inline-tag", options=[], chunks=[])["error"])
        self.assertIn("walk", adapter.ask("fork", at=0, state="?", ends=[0])["error"])
        adapter.walk("ab")
        self.assertIn("no instance", adapter.ask("fork", at=0, state="?", ends=[0])["error"])

    def test_pipelining(self):
        adapter = self.adapter(ECHO)
        lines = [{"id": n, "cmd": "run", "dialect": "inline-tag", "options": {}, "chunks": [str(n)]} for n in range(200)]
        adapter.write("".join(json.dumps(line) + "\n" for line in lines).encode())
        for n in range(200):
            self.assertEqual(adapter.receive(), {"id": n, "out": [[text(str(n))], []]})

    def test_bye_and_end_of_input(self):
        adapter = self.adapter(ECHO)
        adapter.send({"id": 1, "cmd": "bye"})
        self.assertEqual(adapter.process.wait(20), 0)
        self.assertEqual(self.adapter(ECHO).end(), (0, b"", ""))

    def test_last_line_without_its_end(self):
        adapter = self.adapter(ECHO)
        adapter.write(b'{"id":1,"cmd":"hello","protocol":1}')
        code, out, _ = adapter.end()
        self.assertEqual((code, json.loads(out)["id"]), (0, 1))

    def test_non_bmp_text(self):
        adapter = self.adapter(ECHO)
        word = "a\U0001f600e\u0301\u2028"
        self.assertEqual(adapter.run([word]), {"out": [[text(word)], []]})
        self.assertEqual(adapter.sweep(word, [[1, 2]])["outcomes"], [[text("a"), text("\U0001f600"), text("e\u0301\u2028")]])

    def test_a_line_of_a_mebibyte(self):
        adapter = self.adapter(ECHO)
        word = "\u00e9" * (1 << 20)
        self.assertEqual(adapter.run([word]), {"out": [[text(word)], []]})


class Errors(KitTest):
    RAISING = """
        class Parser:
            def feed(self, chunk):
                yield {"type": "text", "text": chunk}
                if "!" in chunk:
                    yield {"type": "text", "text": "last"}
                    [][1]
                if "?" in chunk:
                    import sys
                    sys.exit(3)
            def finish(self):
                return []
    """

    def test_error_with_trace_and_what_came_before(self):
        adapter = self.adapter(self.RAISING)
        answer = adapter.run(["a", "b!", "c"])
        self.assertEqual(answer["error"], "IndexError: list index out of range")
        self.assertIn("[][1]", answer["trace"])
        self.assertNotIn("anysplit_kit", answer["trace"])
        self.assertEqual(answer["out"], [[text("a")], [text("b!"), text("last")]])
        self.assertEqual(adapter.run(["a"]), {"out": [[text("a")], []]})

    def test_an_exit_is_an_error(self):
        adapter = self.adapter(self.RAISING)
        self.assertEqual(adapter.run(["?"])["error"], "SystemExit: 3")
        self.assertEqual(adapter.run(["a"]), {"out": [[text("a")], []]})

    def test_error_in_a_sweep_is_an_outcome(self):
        answer = self.adapter(self.RAISING).sweep("a!", [[], [1], []])
        self.assertEqual(answer["runs"], [0, 1, 0])
        self.assertEqual([outcome["error"] for outcome in answer["outcomes"]], ["IndexError: list index out of range"] * 2)
        self.assertEqual(answer["outcomes"][1]["out"], [[text("a"), text("!"), text("last")]])

    def test_error_in_a_fork(self):
        adapter = self.adapter(self.RAISING)
        state = adapter.walk("a!")
        answer = adapter.ask("fork", at=0, state=state, ends=[1, 2])
        self.assertIn("IndexError", answer["error"])
        self.assertEqual(answer["out"], [[text("a!"), text("last")]])

    def test_events_that_are_none(self):
        results = ['"text"', "7", "[7]", "[{}]", '[{"type": 1}]', '[{"type": "a", "b": float("nan")}]', '[{"type": "a", "b": object()}]']
        for result in results:
            with self.subTest(result):
                body = f"""
                    class Parser:
                        def feed(self, chunk): return {result}
                        def finish(self): pass
                """
                self.assertIn("error", self.adapter(body).run(["a"]))

    def test_cyclic_event(self):
        body = """
            class Parser:
                def feed(self, chunk):
                    event = {"type": "a"}
                    event["self"] = event
                    return event
                def finish(self): pass
        """
        self.assertIn("ircular", self.adapter(body).run(["a"])["error"])

    def test_lone_surrogate(self):
        body = """
            class Parser:
                def feed(self, chunk):
                    print("\\ud800")
                    return {"type": "text", "text": "\\ud800"}
                def finish(self): raise ValueError("\\udfff")
        """
        answer = self.adapter(body).run(["a"])
        self.assertEqual(answer["out"][0], [text("\ud800")])
        self.assertEqual(answer["error"], "ValueError: \udfff")

    def test_what_serve_refuses(self):
        calls = [
            'serve({}, name="n")',
            'serve({"a": lambda options: Parser()}, name="n")',
            'serve({"a": int}, name="n")',
            'serve({"a": Parser}, name="n", accepts="words")',
            'serve({"a": Parser}, name="n", accepts={"a": []})',
        ]
        for call in calls:
            with self.subTest(call):
                code, out, _ = self.adapter(ECHO, call).end()
                self.assertEqual((code, out), (1, b""))


class Subjects(KitTest):
    def test_options(self):
        body = """
            class Parser:
                def __init__(self, options):
                    self.limit = options.pop("limit", None)   # its own: the next run has it again
                def feed(self, chunk): return {"type": "text", "text": f"{chunk}{self.limit}"}
                def finish(self): pass
        """
        adapter = self.adapter(body)
        self.assertEqual(adapter.sweep("a", [[], []], options={"limit": 5}), {"outcomes": [[text("a5")]], "runs": [0, 0]})
        self.assertEqual(adapter.run(["a"]), {"out": [[text("aNone")], []]})

    def test_options_where_none_are_taken(self):
        adapter = self.adapter(ECHO)
        self.assertEqual(adapter.run(["a"], options={"limit": 5})["unsupported"], "option")
        self.assertEqual(adapter.sweep("a", [[]], options={"limit": 5})["unsupported"], "option")

    def test_unsupported(self):
        body = """
            class Parser:
                def __init__(self, options):
                    if "limit" in options:
                        raise Unsupported("option", "no limit can be set")
                def feed(self, chunk):
                    if chunk == "!":
                        raise Unsupported("option", "no shouting")
                    return ()
                def finish(self): pass
        """
        adapter = self.adapter(body)
        refusal = {"unsupported": "option", "reason": "no limit can be set"}
        self.assertEqual(adapter.run([], options={"limit": 1}), refusal)
        self.assertEqual(adapter.sweep("a", [[]], options={"limit": 1}), refusal)
        self.assertEqual(adapter.ask("walk", dialect="inline-tag", options={"limit": 1}, atoms=[]), refusal)
        self.assertEqual(adapter.run(["!"])["reason"], "no shouting")
        self.assertEqual(adapter.sweep("a!", [[], [1]])["reason"], "no shouting")

    def test_generator_function(self):
        body = """
            def parse(chunks, options):
                yield {"type": "text", "text": options.get("first", "begin")}
                for chunk in chunks:
                    for character in chunk:
                        yield {"type": "text", "text": character}
                yield {"type": "text", "text": "end"}
        """
        adapter = self.adapter(body, 'serve({"inline-tag": parse}, name="n")')
        self.assertEqual(adapter.hello()["caps"], ["sweep"])
        self.assertEqual(adapter.run(["ab", "", "c"]), {"out": [[text("begin"), text("a"), text("b")], [], [text("c")], [text("end")]]})
        self.assertEqual(adapter.run([], options={"first": "x"}), {"out": [[text("x"), text("end")]]})
        self.assertEqual(adapter.sweep("ab", [[], [1]])["runs"], [0, 0])
        self.assertEqual(adapter.ask("walk", dialect="inline-tag", options={}, atoms=[])["unsupported"], "cmd")

    def test_generator_function_that_stops_early(self):
        body = """
            def parse(chunks):
                yield {"type": "text", "text": next(chunks)}
        """
        adapter = self.adapter(body, 'serve({"inline-tag": parse}, name="n")')
        self.assertEqual(adapter.run(["a", "b"]), {"out": [[text("a")], [], []]})

    def test_generator_function_that_raises(self):
        body = """
            def parse(chunks):
                for chunk in chunks:
                    yield {"type": "text", "text": chunk}
                    if chunk == "!": raise ValueError("no")
        """
        answer = self.adapter(body, 'serve({"inline-tag": parse}, name="n")').run(["a", "!", "b"])
        self.assertEqual((answer["error"], answer["out"]), ("ValueError: no", [[text("a")], [text("!")]]))

    def test_machine(self):
        body = ECHO + """
    def make(options):
        return Parser()
        """
        adapter = self.adapter(body, 'serve({"inline-tag": machine(make)}, name="n")')
        self.assertEqual(adapter.hello()["caps"], ["sweep"])
        self.assertEqual(adapter.run(["a"], options={"limit": 1}), {"out": [[text("a")], []]})

    def test_events_are_taken_as_they_come(self):
        body = """
            class Parser:
                def __init__(self):
                    self.call = {"type": "call", "args": ""}
                def feed(self, chunk):
                    for character in chunk:
                        self.call["args"] += character
                        yield self.call
                def finish(self): return self.call
        """
        out = self.adapter(body).run(["ab", "c"])["out"]
        self.assertEqual([[event["args"] for event in events] for events in out], [["a", "ab"], ["abc"], ["abc"]])


class Kinds(KitTest):
    SHOW = """
        class Parser:
            def __init__(self, options): pass
            def feed(self, chunk): return {"type": "text", "text": repr(chunk)}
            def finish(self): pass
    """

    def shown(self, out):
        return [event["text"] for events in out for event in events]

    def test_bytes(self):
        adapter = self.adapter(self.SHOW, 'serve({"sse": Parser}, name="n")')
        encode = lambda data: base64.b64encode(data).decode()  # noqa: E731
        answer = adapter.run([encode(b"a\xff"), encode(b"")], dialect="sse")
        self.assertEqual(self.shown(answer["out"]), ["b'a\\xff'", "b''"])
        answer = adapter.sweep([encode(bytes([byte])) for byte in b"\xc3\xa9a"], [[1]], dialect="sse")
        self.assertEqual(self.shown(answer["outcomes"]), ["b'\\xc3'", "b'\\xa9a'"])
        self.assertIn("error", adapter.run(["&&"], dialect="sse"))

    def test_a_text_dialect_as_bytes(self):
        adapter = self.adapter(self.SHOW, 'serve({"inline-tag": Parser}, name="n", accepts="bytes")')
        self.assertEqual(self.shown(adapter.run(["YQ=="])["out"]), ["b'a'"])

    def test_lifecycle_with_and_without_transport(self):
        both = 'serve({"chat-chunks": Parser}, name="n", accepts={"chat-chunks": ["objects", "bytes"]})'
        adapter = self.adapter(self.SHOW, both)
        self.assertEqual(self.shown(adapter.run(["YQ=="], dialect="chat-chunks")["out"]), ["'YQ=='"])
        self.assertEqual(self.shown(adapter.run(["YQ=="], dialect="chat-chunks", options={"transport": "sse"})["out"]), ["b'a'"])
        adapter = self.adapter(self.SHOW, 'serve({"chat-chunks": Parser}, name="n")')
        self.assertEqual(adapter.run([], dialect="chat-chunks", options={"transport": "sse"})["unsupported"], "option")

    def test_items_are_chunks_whatever_the_cuts(self):
        body = """
            class Parser:
                def feed(self, item):
                    item["seen"] = item.get("seen", 0) + 1   # each run must get items of its own
                    return {"type": "text", "text": str(item["seen"]) + item["a"]}
                def finish(self): pass
        """
        adapter = self.adapter(body, 'serve({"chat-chunks": Parser}, name="n")')
        items = [{"a": "x"}, {"a": "y"}]
        events = [text("1x"), text("1y")]
        self.assertEqual(adapter.sweep(items, [[], [1], [0, 2]], dialect="chat-chunks"), {"outcomes": [events], "runs": [0, 0, 0]})
        state = adapter.walk(items, dialect="chat-chunks")
        forked = adapter.ask("fork", at=0, state=state, ends=[0, 1, 2])
        self.assertEqual(forked["outcomes"], [[], events[:1], events])


class Forking(KitTest):
    def prove(self, adapter, word):
        """Follows every splitting through the walk and compares it with a run."""
        start = adapter.walk(word)
        forks = {}
        for at in range(len(word) + 1):
            for state in {start} if at == 0 else {after for (_, _, end), (_, after) in forks.items() if end == at}:
                ends = list(range(at, len(word) + 1))
                answer = adapter.ask("fork", at=at, state=state, ends=ends)
                for end, (number, after) in zip(ends, answer["steps"]):
                    forks[at, state, end] = (answer["outcomes"][number], after)
        for count in range(len(word)):
            for cuts in itertools.combinations(range(1, len(word)), count):
                self.compare(adapter, word, cuts, start, forks)
        return len({(at, state) for at, state, _ in forks})

    def compare(self, adapter, word, cuts, state, forks):
        events, at, chunks = [], 0, []
        for end in [*cuts, len(word)]:
            came, state = forks[at, state, end]
            events += came
            chunks.append(word[at:end])
            at = end
        events += adapter.ask("finish", state=state)["out"][0]
        self.assertEqual(events, sum(adapter.run(chunks)["out"], []), chunks)

    def test_a_walk_over_all_splittings_equals_run_by_run(self):
        adapter = self.adapter(HOLDING)
        self.assertEqual(self.prove(adapter, "a<<b<c<"), 8, "one state an offset: the splitting does not show in it")

    def test_state_that_depends_on_the_splitting(self):
        body = """
            class Parser:
                def __init__(self):
                    self.chunks = []
                    self.last = self.chunks
                def feed(self, chunk): self.chunks.append(chunk)
                def finish(self): return {"type": "text", "text": "|".join(self.last)}
        """
        self.prove(self.adapter(body), "abcd")

    def test_forks_do_not_touch_each_other(self):
        adapter = self.adapter(HOLDING)
        state = adapter.walk("<b")
        first = adapter.ask("fork", at=0, state=state, ends=[1, 2, 1, 0])
        again = adapter.ask("fork", at=0, state=state, ends=[1, 2, 1, 0])
        self.assertEqual(first, again)
        self.assertEqual(first["steps"][0], first["steps"][2])
        self.assertEqual(first["steps"][3][1], state)

    def test_finish_between_forks(self):
        adapter = self.adapter(HOLDING)
        state = adapter.walk("<b")
        ends = adapter.ask("fork", at=0, state=state, ends=[1, 2])["steps"]
        self.assertEqual(adapter.ask("finish", state=ends[1][1]), {"out": [[]]})
        self.assertEqual(adapter.ask("fork", at=1, state=ends[0][1], ends=[2])["steps"][0][1], ends[1][1])
        self.assertEqual(adapter.ask("finish", state=ends[1][1]), {"out": [[]]})

    def fingerprints(self, statement_by_chunk):
        """The fingerprints of instances that were fed these statements to execute on themselves."""
        body = """
            class Parser:
                def feed(self, chunk): exec(chunk)
                def finish(self): pass
        """
        adapter = self.adapter(body)
        states = []
        for statement in statement_by_chunk:
            start = adapter.walk([statement])
            states.append(adapter.ask("fork", at=0, state=start, ends=[1])["steps"][0][1])
        return states

    def test_equal_strings_are_equal_whoever_holds_them(self):
        same, other = self.fingerprints(["self.a = self.b = 'xy' * 9", "self.a = 'xy' * 9; self.b = 'xy' * 9"])
        self.assertEqual(same, other)
        same, other = self.fingerprints(["self.a = self.b = b'xy' * 9", "self.a = b'xy' * 9; self.b = bytes(bytearray(b'xy' * 9))"])
        self.assertEqual(same, other)
        text_, bytes_ = self.fingerprints(["self.a = 'x'", "self.a = b'x'"])
        self.assertNotEqual(text_, bytes_)

    def test_one_list_is_not_two_equal_lists(self):
        one, two = self.fingerprints(["self.a = self.b = []", "self.a = []; self.b = []"])
        self.assertNotEqual(one, two, "who appends to the one appends to the other")

    def test_recursive_state(self):
        self.assertEqual(len(set(self.fingerprints(["self.me = self", "self.me = self"]))), 1)

    def test_what_cannot_be_copied_is_not_offered(self):
        for state in ("(x for x in ())", "lambda: 0", "object()", "__import__('threading').Lock()"):
            with self.subTest(state):
                body = f"""
                    class Parser:
                        def __init__(self): self.state = {state}
                        def feed(self, chunk): pass
                        def finish(self): pass
                """
                self.assertEqual(self.adapter(body).hello()["caps"], ["sweep"])

    def test_fork_can_be_refused(self):
        adapter = self.adapter(ECHO, 'serve({"inline-tag": Parser}, name="n", fork=False)')
        self.assertEqual(adapter.hello()["caps"], ["sweep"])

    def test_what_can_no_longer_be_copied_is_unsupported_not_an_error(self):
        body = """
            class Parser:
                def feed(self, chunk): self.later = (x for x in ())
                def finish(self): pass
        """
        adapter = self.adapter(body)
        self.assertIn("fork", adapter.hello()["caps"])
        state = adapter.walk("a")
        self.assertEqual(adapter.ask("fork", at=0, state=state, ends=[1])["unsupported"], "cmd")


class StandardOutput(KitTest):
    def test_stray_prints(self):
        body = """
            import os, sys
            print("while loading")
            class Parser:
                def feed(self, chunk):
                    print("in feed \\U0001f600")
                    sys.stdout.write("written\\n")
                    sys.__stdout__.write("past the swap\\n")
                    os.write(1, b"by descriptor\\n")
                    os.system("echo by a child")
                    assert sys.stdin.read() == ""
                def finish(self): print("in finish")
        """
        adapter = self.adapter(body)
        self.assertEqual(adapter.run(["a"]), {"out": [[], []]})
        code, out, err = adapter.end()
        self.assertEqual((code, out), (0, b""))
        for said in ("while loading", "in feed \U0001f600", "written", "past the swap", "by descriptor", "by a child", "in finish"):
            self.assertIn(said, err)


class Files(KitTest):
    def test_template(self):
        for source in (HERE / "anysplit_kit.py", HERE / "template" / "adapter.py"):
            shutil.copy(source, self.directory)
        adapter = self.start([sys.executable, "adapter.py"])
        self.assertEqual(adapter.hello()["dialects"], ["inline-tag"])
        call = '<tool_call name="b" args={"x": 1}></tool_call>'
        event = {"type": "tool_call", "name": "b", "args": {"x": 1}}
        self.assertEqual(adapter.run([f"a {call} c"]), {"out": [[text("a "), event, text(" c")], []]})
        self.assertEqual(adapter.run(['<tool_call name="b" args={x}></tool_call>'])["out"][0][0]["type"], "text")
        self.assertEqual(adapter.run([call[:9], call[9:]])["out"][0][0]["type"], "text", "wrong on purpose")
        self.assertEqual(adapter.run([], options={"limit": 3})["unsupported"], "option")

    def test_echo(self):
        adapter = self.start([sys.executable, str(HERE.parent / "bench" / "echo.py")])
        self.assertEqual(adapter.run(["a", "b"]), {"out": [[text("a")], [text("b")], []]})


if __name__ == "__main__":
    unittest.main()
