// Tests of the kit: adapters are started as child processes and spoken to as anysplit does. Run: node --test

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'anysplit-kit-'));
copyFileSync(join(here, 'anysplit-kit.mjs'), join(folder, 'anysplit-kit.mjs'));
after(() => rmSync(folder, { recursive: true }));

const text = (content) => ({ type: 'text', text: content });
const call = { type: 'tool_call', name: 'b', args: {} };

const ECHO = `class Parser { feed(chunk) { return [{ type: 'text', text: chunk }]; } finish() {} }`;
const SERVE = `serve({ 'inline-tag': Parser }, { name: 'test' });`;

// Holds back a "<" until it knows what follows; tells "<b" apart. Small enough to walk, and its state matters.
const HOLDING = `
  class Parser {
    held = '';
    *feed(chunk) {
      for (const character of chunk) {
        if (character === 'b' && this.held) {
          this.held = '';
          yield { type: 'tool_call', name: 'b', args: {} };
          continue;
        }
        yield* this.flush();
        if (character === '<') this.held = '<';
        else yield { type: 'text', text: character };
      }
    }
    flush() {
      const { held } = this;
      this.held = '';
      return held ? [{ type: 'text', text: held }] : [];
    }
    finish() { return this.flush(); }
    fork() { return Object.assign(new Parser(), this); }
    fingerprint() { return JSON.stringify({ ...this }); }
  }`;

/** A running adapter. */
class Adapter {
  #id = 0;

  constructor(file) {
    this.process = spawn(process.execPath, [file], { stdio: 'pipe' });
    this.exit = once(this.process, 'close');
    this.errors = '';
    this.process.stderr.setEncoding('utf8').on('data', (data) => (this.errors += data));
    this.process.stdin.on('error', () => {}); // it may have exited
    this.lines = linesOf(this.process.stdout.setEncoding('utf8'));
  }

  write(data) {
    this.process.stdin.write(data);
  }

  async receive() {
    const { value, done } = await this.lines.next();
    assert.ok(!done, `no answer; standard error: ${this.errors}`);
    return JSON.parse(value);
  }

  async ask(cmd, fields = {}) {
    const number = ++this.#id;
    this.write(`${JSON.stringify({ id: number, cmd, ...fields })}\n`);
    const { id, ...answer } = await this.receive();
    assert.equal(id, number);
    return answer;
  }

  hello(fields) {
    return this.ask('hello', { protocol: 1, ...fields });
  }

  run(chunks, options = {}, dialect = 'inline-tag') {
    return this.ask('run', { dialect, options, chunks });
  }

  sweep(atoms, cuts, options = {}, dialect = 'inline-tag') {
    return this.ask('sweep', { dialect, options, atoms: [...atoms], cuts });
  }

  async walk(atoms, dialect = 'inline-tag') {
    return (await this.ask('walk', { dialect, options: {}, atoms: [...atoms] })).state;
  }

  async end() {
    this.process.stdin.end();
    return (await this.exit)[0];
  }
}

/** Not readline: some versions of it end a line at U+2028 too. */
async function* linesOf(stream) {
  let rest = '';
  for await (const data of stream) {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

let files = 0;

/** A test with an adapter of this source. */
function adapterTest(name, source, work, serve = SERVE) {
  test(name, async () => {
    const file = join(folder, `adapter-${files++}.mjs`);
    writeFileSync(file, `import { serve, machine, Unsupported } from './anysplit-kit.mjs';\n${source}\n${serve}\n`);
    await started(file, work);
  });
}

async function started(file, work) {
  const adapter = new Adapter(file);
  try {
    await work(adapter);
  } finally {
    adapter.process.kill('SIGKILL');
    await adapter.exit;
  }
}

adapterTest(
  'hello',
  ECHO,
  async (adapter) => {
    assert.deepEqual(await adapter.hello({ more: 'ignored' }), {
      protocol: 1,
      name: 'n',
      version: '2',
      language: 'javascript',
      dialects: ['inline-tag', 'sse'],
      accepts: { sse: ['bytes'] },
      caps: ['sweep', 'violations'],
    });
  },
  `serve({ 'inline-tag': Parser, sse: Parser }, { name: 'n', version: 2, accepts: { sse: ['bytes'] }, violations: true });`,
);

adapterTest('hello leaves out what was not given; another protocol', ECHO, async (adapter) => {
  assert.deepEqual(Object.keys(await adapter.hello()), ['protocol', 'name', 'language', 'dialects', 'caps']);
  assert.deepEqual(await adapter.hello({ protocol: 2 }), { unsupported: 'protocol', reason: 'I speak 1' });
});

adapterTest('run gives one list more than chunks', HOLDING, async (adapter) => {
  assert.deepEqual(await adapter.run(['a<', 'b', '', '<']), { out: [[text('a')], [call], [], [], [text('<')]] });
  assert.deepEqual(await adapter.run([]), { out: [[]] });
  assert.deepEqual(await adapter.run(['']), { out: [[], []] });
});

adapterTest('sweep', ECHO, async (adapter) => {
  assert.deepEqual(await adapter.sweep('a <b', [[], [2], [1, 3], [], [0], [4], [2, 2]]), {
    outcomes: [
      [text('a <b')],
      [text('a '), text('<b')],
      [text('a'), text(' <'), text('b')],
      [text(''), text('a <b')],
      [text('a <b'), text('')],
      [text('a '), text(''), text('<b')],
    ],
    runs: [0, 1, 2, 0, 3, 4, 5],
  });
});

adapterTest('unknown command and dialect', ECHO, async (adapter) => {
  assert.equal((await adapter.ask('sing')).unsupported, 'cmd');
  assert.equal((await adapter.ask('walk')).unsupported, 'cmd');
  assert.equal((await adapter.run([], {}, 'sse')).unsupported, 'dialect');
  assert.equal((await adapter.sweep([], [[]], {}, 'constructor')).unsupported, 'dialect');
  assert.deepEqual(await adapter.run(['a']), { out: [[text('a')], []] });
});

adapterTest('unreadable lines', ECHO, async (adapter) => {
  const lines = ['{nonsense', Buffer.from([0xff, 0xfe]), '[1]', '', '{"cmd":"hello"}', '{"id":true,"cmd":"hello"}', '['.repeat(100000)];
  for (const line of lines) {
    adapter.write(line);
    adapter.write('\n');
    const answer = await adapter.receive();
    assert.equal(answer.id, null);
    assert.match(answer.error, /bad request/);
  }
  assert.deepEqual(await adapter.run(['a']), { out: [[text('a')], []] });
});

adapterTest('bad requests', HOLDING, async (adapter) => {
  assert.match((await adapter.ask('run', { dialect: 'inline-tag' })).error, /chunks/);
  assert.match((await adapter.run([1])).error, /string/);
  assert.match((await adapter.run([], [])).error, /options/);
  assert.match((await adapter.ask('fork', { at: 0, state: '?', ends: [0] })).error, /no walk/);
  await adapter.walk('ab');
  assert.match((await adapter.ask('fork', { at: 0, state: '?', ends: [0] })).error, /no instance/);
});

adapterTest('pipelining', ECHO, async (adapter) => {
  const request = (id) => JSON.stringify({ id, cmd: 'run', dialect: 'inline-tag', options: {}, chunks: [String(id)] });
  adapter.write(Array.from({ length: 200 }, (_, id) => `${request(id)}\n`).join(''));
  for (let id = 0; id < 200; id++) assert.deepEqual(await adapter.receive(), { id, out: [[text(String(id))], []] });
});

adapterTest('bye, with a timer still running', `setInterval(() => {}, 1000); ${ECHO}`, async (adapter) => {
  adapter.write('{"id":1,"cmd":"bye"}\n');
  assert.equal((await adapter.exit)[0], 0);
});

adapterTest('end of input, the last line without its end', ECHO, async (adapter) => {
  adapter.write('{"id":1,"cmd":"hello","protocol":1}');
  adapter.process.stdin.end();
  assert.equal((await adapter.receive()).id, 1);
  assert.equal((await adapter.exit)[0], 0);
});

adapterTest('non-BMP text', ECHO, async (adapter) => {
  const word = 'a\u{1f600}e\u0301\u2028';
  assert.deepEqual(await adapter.run([word]), { out: [[text(word)], []] });
  assert.deepEqual((await adapter.sweep(word, [[1, 2]])).outcomes, [[text('a'), text('\u{1f600}'), text('e\u0301\u2028')]]);
});

adapterTest('a line of a mebibyte', ECHO, async (adapter) => {
  const word = '\u00e9'.repeat(1 << 20);
  assert.deepEqual(await adapter.run([word]), { out: [[text(word)], []] });
  assert.equal(await adapter.end(), 0);
});

const RAISING = `
  class Parser {
    *feed(chunk) {
      yield { type: 'text', text: chunk };
      if (!chunk.includes('!')) return;
      yield { type: 'text', text: 'last' };
      undefined.field;
    }
    finish() {}
    fork() { return new Parser(); }
    fingerprint() { return ''; }
  }`;

adapterTest('error with trace and what came before', RAISING, async (adapter) => {
  const { error, trace, out } = await adapter.run(['a', 'b!', 'c']);
  assert.match(error, /^TypeError: /);
  assert.match(trace, /at Parser\.feed/);
  assert.doesNotMatch(trace, /anysplit-kit\.mjs/);
  assert.deepEqual(out, [[text('a')], [text('b!'), text('last')]]);
  assert.deepEqual(await adapter.run(['a']), { out: [[text('a')], []] });
});

adapterTest('an error in a sweep is an outcome', RAISING, async (adapter) => {
  const { outcomes, runs } = await adapter.sweep('a!', [[], [1], []]);
  assert.deepEqual(runs, [0, 1, 0]);
  assert.match(outcomes[0].error, /^TypeError: /);
  assert.deepEqual(outcomes[1].out, [[text('a'), text('!'), text('last')]]);
});

adapterTest('an error in a fork', RAISING, async (adapter) => {
  const state = await adapter.walk('a!');
  const { error, out } = await adapter.ask('fork', { at: 0, state, ends: [1, 2] });
  assert.match(error, /^TypeError: /);
  assert.deepEqual(out, [[text('a!'), text('last')]]);
});

const RESULTS = `
  const cyclic = { type: 'a' };
  cyclic.self = cyclic;
  const results = {
    big: [{ type: 'a', b: 1n }], cyclic: [cyclic], string: 'text', number: 7, numbers: [7], untyped: [{}], hole: [undefined],
    one: { type: 'a', gone: undefined }, surrogate: { type: 'text', text: '\\ud800' },
  };
  class Parser {
    feed(chunk) { if (chunk === 'throw') throw 'words'; return results[chunk]; }
    finish() {}
  }`;

adapterTest('events that are none', RESULTS, async (adapter) => {
  for (const chunk of ['big', 'cyclic', 'string', 'number', 'numbers', 'untyped', 'hole']) {
    assert.match((await adapter.run([chunk])).error, /^TypeError: /, chunk);
  }
  assert.equal((await adapter.run(['throw'])).error, "thrown: 'words'");
  assert.deepEqual(await adapter.run(['one', 'surrogate']), { out: [[{ type: 'a' }], [text('\ud800')], []] });
});

const ASYNC = `
  const later = (value, ms) => new Promise((resolve) => setTimeout(resolve, ms, value));
  let delay = 8;
  class Parser {
    async feed(chunk) {
      if (chunk === '!') throw new RangeError('no');
      return later([{ type: 'text', text: chunk }], delay-- % 4);   // the later ones are ready first
    }
    async *finish() { yield await later({ type: 'text', text: 'end' }, 1); }
  }`;

adapterTest('asynchronous implementations answer in order', ASYNC, async (adapter) => {
  assert.deepEqual(await adapter.run(['a', 'b', '']), { out: [[text('a')], [text('b')], [text('')], [text('end')]] });
  assert.deepEqual(await adapter.sweep('abc', [[], [1, 2]]), {
    outcomes: [[text('abc'), text('end')], [text('a'), text('b'), text('c'), text('end')]],
    runs: [0, 1],
  });
  const failed = await adapter.run(['a', '!', 'b']);
  assert.equal(failed.error, 'RangeError: no');
  assert.deepEqual(failed.out, [[text('a')], []]);
  assert.equal((await adapter.sweep('a!', [[1], []])).outcomes[0].error, 'RangeError: no');
});

adapterTest(
  'asynchronous machines walk',
  `${HOLDING}
  class Later extends Parser {
    async feed(chunk) { const events = [...super.feed(chunk)]; await null; return events; }
    fork() { return Object.assign(new Later(), this); }
  }`,
  (adapter) => prove(adapter, '<a<b'),
  `serve({ 'inline-tag': Later }, { name: 'n' });`,
);

const FLOATING = `
  class Parser {
    feed(chunk) {
      if (chunk === 'rejected') Promise.reject(new Error('nobody waits'));
      if (chunk === 'hanging') { Promise.reject(new Error('nobody waits')); return new Promise(() => {}); }
      if (chunk === 'timer') { setTimeout(() => { throw new Error('in a timer'); }, 1); return new Promise(() => {}); }
      if (chunk === 'late') setTimeout(() => Promise.reject(new Error('too late')), 20);
      return [];
    }
    finish() {}
  }`;

adapterTest('what nobody waits for is the error of the request', FLOATING, async (adapter) => {
  assert.equal((await adapter.run(['rejected'])).error, 'Error: nobody waits');
  assert.equal((await adapter.run(['hanging'])).error, 'Error: nobody waits');
  assert.equal((await adapter.run(['timer'])).error, 'Error: in a timer');
  assert.equal((await adapter.sweep(['rejected'], [[]])).error, 'Error: nobody waits');
  assert.deepEqual(await adapter.run(['a']), { out: [[], []] });
});

adapterTest('what nobody waits for between two requests ends the adapter', FLOATING, async (adapter) => {
  assert.deepEqual(await adapter.run(['late']), { out: [[], []] });
  assert.equal((await adapter.exit)[0], 1);
  assert.match(adapter.errors, /too late/);
});

adapterTest(
  'options and unsupported',
  `class Parser {
    constructor(options) {
      if ('limit' in options) throw new Unsupported('option', 'no limit can be set');
      this.word = options.word;
      delete options.word;   // its own: the next run has it again
    }
    async feed(chunk) {
      if (chunk === '!') throw new Unsupported('option', 'no shouting');
      return { type: 'text', text: chunk + this.word };
    }
    finish() {}
  }`,
  async (adapter) => {
    const refusal = { unsupported: 'option', reason: 'no limit can be set' };
    assert.deepEqual(await adapter.run([], { limit: 1 }), refusal);
    assert.deepEqual(await adapter.sweep('a', [[]], { limit: 1 }), refusal);
    assert.equal((await adapter.run(['!'])).reason, 'no shouting');
    assert.equal((await adapter.sweep('a!', [[1]])).reason, 'no shouting');
    assert.deepEqual(await adapter.sweep('a', [[], []], { word: 'x' }), { outcomes: [[text('ax')]], runs: [0, 0] });
  },
);

for (const [kind, star] of [['synchronous', 'function*'], ['asynchronous', 'async function*']]) {
  const wait = kind === 'asynchronous' ? 'await' : '';
  adapterTest(
    `${kind} generator functions`,
    `const parse = ${star} (chunks, options) {
      yield { type: 'text', text: options.first ?? 'begin' };
      for ${wait} (const chunk of chunks) {
        if (chunk === '!') throw new Error('no');
        if (chunk === '.') return;
        for (const character of chunk) yield { type: 'text', text: character };
      }
      yield { type: 'text', text: 'end' };
    };`,
    async (adapter) => {
      assert.deepEqual((await adapter.hello()).caps, ['sweep']);
      const begin = text('begin');
      assert.deepEqual(await adapter.run(['ab', '', 'c']), { out: [[begin, text('a'), text('b')], [], [text('c')], [text('end')]] });
      assert.deepEqual(await adapter.run([], { first: 'x' }), { out: [[text('x'), text('end')]] });
      assert.deepEqual(await adapter.run(['.', 'b']), { out: [[begin], [], []] });
      const failed = await adapter.run(['a', '!', 'b']);
      assert.deepEqual([failed.error, failed.out], ['Error: no', [[begin, text('a')], []]]);
      assert.deepEqual((await adapter.sweep('ab', [[], [1]])).runs, [0, 0]);
    },
    `serve({ 'inline-tag': parse }, { name: 'n' });`,
  );
}

adapterTest(
  'machine',
  ECHO,
  async (adapter) => {
    assert.deepEqual((await adapter.hello()).caps, ['sweep']);
    assert.deepEqual(await adapter.run(['a']), { out: [[text('a')], []] });
    assert.deepEqual(await adapter.run(['a'], {}, 'tool-session'), { out: [[text('a')], []] });
  },
  `serve({ 'inline-tag': machine(() => new Parser()), 'tool-session': machine(async () => new Parser()) }, { name: 'n' });`,
);

adapterTest(
  'events are taken as they come',
  `class Parser {
    call = { type: 'call', args: '' };
    *feed(chunk) { for (const character of chunk) { this.call.args += character; yield this.call; } }
    finish() { return [this.call]; }
  }`,
  async (adapter) => {
    const { out } = await adapter.run(['ab', 'c']);
    assert.deepEqual(out.map((events) => events.map((event) => event.args)), [['a', 'ab'], ['abc'], ['abc']]);
  },
);

const SHOW = `class Parser {
  feed(chunk) {
    const shown = chunk instanceof Uint8Array ? chunk.constructor.name + '[' + chunk.join() + ']' : JSON.stringify(chunk);
    return [{ type: 'text', text: shown }];
  }
  finish() {}
}`;
const shown = (lists) => lists.flat().map((event) => event.text);

adapterTest(
  'bytes',
  SHOW,
  async (adapter) => {
    assert.deepEqual(shown((await adapter.run(['Yf8=', ''], {}, 'sse')).out), ['Uint8Array[97,255]', 'Uint8Array[]']);
    const swept = await adapter.sweep(['ww==', 'qQ==', 'YQ=='], [[1]], {}, 'sse');
    assert.deepEqual(shown(swept.outcomes), ['Uint8Array[195]', 'Uint8Array[169,97]']);
    assert.deepEqual(shown((await adapter.run(['YQ=='])).out), ['Uint8Array[97]']);
  },
  `serve({ sse: Parser, 'inline-tag': Parser }, { name: 'n', accepts: 'bytes' });`,
);

adapterTest(
  'lifecycle with and without transport',
  SHOW,
  async (adapter) => {
    const transport = { transport: 'sse' };
    assert.deepEqual(shown((await adapter.run([{ a: 1 }], {}, 'chat-chunks')).out), ['{"a":1}']);
    assert.deepEqual(shown((await adapter.run(['YQ=='], transport, 'chat-chunks')).out), ['Uint8Array[97]']);
    assert.equal((await adapter.run([], transport, 'tool-stages')).unsupported, 'option');
  },
  `serve({ 'chat-chunks': Parser, 'tool-stages': Parser }, { name: 'n', accepts: { 'chat-chunks': ['objects', 'bytes'] } });`,
);

adapterTest(
  'items are chunks whatever the cuts',
  `class Parser {
    feed(item) { item.seen = (item.seen ?? 0) + 1; return { type: 'text', text: item.seen + item.a }; }
    finish() {}
    fork() { return new Parser(); }
    fingerprint() { return ''; }
  }`,
  async (adapter) => {
    const items = [{ a: 'x' }, { a: 'y' }];
    const events = [text('1x'), text('1y')];
    assert.deepEqual(await adapter.sweep(items, [[], [1], [0, 2]], {}, 'chat-chunks'), { outcomes: [events], runs: [0, 0, 0] });
    const state = await adapter.walk(items, 'chat-chunks');
    const { outcomes } = await adapter.ask('fork', { at: 0, state, ends: [0, 1, 2] });
    assert.deepEqual(outcomes, [[], events.slice(0, 1), events]);
  },
  `serve({ 'chat-chunks': Parser }, { name: 'n' });`,
);

/** All ascending lists of cuts inside a word of this length. */
function allCuts(length) {
  const inside = Array.from({ length: length - 1 }, (_, i) => i + 1);
  return Array.from({ length: 2 ** inside.length }, (_, bits) => inside.filter((_, i) => bits & (1 << i)));
}

/** Follows every splitting through the walk and compares it with a run and with the sweep. */
async function prove(adapter, word) {
  const start = await adapter.walk(word);
  const forks = new Map();
  const standing = Array.from({ length: word.length + 1 }, () => new Set());
  standing[0].add(start);
  for (let at = 0; at <= word.length; at++) {
    for (const state of standing[at]) {
      const ends = Array.from({ length: word.length + 1 - at }, (_, i) => at + i);
      const { outcomes, steps } = await adapter.ask('fork', { at, state, ends });
      steps.forEach(([number, after], i) => {
        forks.set(JSON.stringify([at, state, ends[i]]), [outcomes[number], after]);
        standing[ends[i]].add(after);
      });
    }
  }
  const cutLists = allCuts(word.length);
  const swept = await adapter.sweep(word, cutLists);
  for (const [i, cuts] of cutLists.entries()) {
    const events = [];
    const chunks = [];
    let [at, state] = [0, start];
    for (const end of [...cuts, word.length]) {
      const [came, after] = forks.get(JSON.stringify([at, state, end]));
      events.push(...came);
      chunks.push(word.slice(at, end));
      [at, state] = [end, after];
    }
    events.push(...(await adapter.ask('finish', { state })).out[0]);
    assert.deepEqual(events, (await adapter.run(chunks)).out.flat(), JSON.stringify(chunks));
    assert.deepEqual(events, swept.outcomes[swept.runs[i]]);
  }
}

adapterTest('a walk over all splittings equals run by run', HOLDING, async (adapter) => {
  assert.deepEqual((await adapter.hello()).caps, ['sweep', 'fork', 'fingerprint']);
  await prove(adapter, 'a<<b<c<');
});

adapterTest('forks do not touch each other, finish may stand between them', HOLDING, async (adapter) => {
  const state = await adapter.walk('<b');
  const first = await adapter.ask('fork', { at: 0, state, ends: [1, 2, 1, 0] });
  assert.deepEqual(await adapter.ask('fork', { at: 0, state, ends: [1, 2, 1, 0] }), first);
  const [[, inside], [, last]] = first.steps;
  assert.deepEqual(await adapter.ask('finish', { state: last }), { out: [[]] });
  assert.deepEqual((await adapter.ask('fork', { at: 1, state: inside, ends: [2] })).steps, [[0, last]]);
  assert.deepEqual(await adapter.ask('finish', { state: last }), { out: [[]] });
});

adapterTest(
  'stray output goes to standard error',
  `class Parser {
    feed() { console.log('logged'); console.info('informed'); console.table([1]); process.stdout.write('written\\n'); }
    finish() { console.error('erred'); }
  }`,
  async (adapter) => {
    assert.deepEqual(await adapter.run(['a']), { out: [[], []] });
    assert.equal(await adapter.end(), 0);
    for (const said of ['logged', 'informed', 'written', 'erred']) assert.ok(adapter.errors.includes(said), said);
  },
);

for (const wrong of [
  `serve({}, { name: 'n' });`,
  `serve({ a: () => new Parser() }, { name: 'n' });`,
  `serve({ a: Parser });`,
  `serve({ a: Parser }, { name: 'n', accepts: 'words' });`,
  `serve({ a: Parser }, { name: 'n', accepts: { a: [] } });`,
]) {
  adapterTest(`refused: ${wrong}`, ECHO, async (adapter) => assert.equal(await adapter.end(), 1), wrong);
}

test('template', async () => {
  copyFileSync(join(here, 'template', 'adapter.mjs'), join(folder, 'adapter.mjs'));
  await started(join(folder, 'adapter.mjs'), async (adapter) => {
    assert.deepEqual((await adapter.hello()).dialects, ['inline-tag']);
    const marker = '<tool_call name="b" args={"x": 1}></tool_call>';
    const event = { type: 'tool_call', name: 'b', args: { x: 1 } };
    assert.deepEqual(await adapter.run([`a ${marker} c`]), { out: [[text('a '), event, text(' c')], []] });
    assert.equal((await adapter.run(['<tool_call name="b" args={x}></tool_call>'])).out[0][0].type, 'text');
    assert.equal((await adapter.run([marker.slice(0, 9), marker.slice(9)])).out[0][0].type, 'text', 'wrong on purpose');
    assert.equal((await adapter.run([], { limit: 3 })).unsupported, 'option');
  });
});

test('echo', () =>
  started(join(here, '..', 'bench', 'echo.mjs'), async (adapter) => {
    assert.deepEqual(await adapter.run(['a', 'b']), { out: [[text('a')], [text('b')], []] });
  }));
