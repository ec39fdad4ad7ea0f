// The anysplit adapter kit for Node: one file, no dependencies, Node 18 or newer.
//
//     import { serve } from './anysplit-kit.mjs';
//     class Parser {
//       feed(chunk) { … }      // an array or iterable of events, or undefined, or a promise of these
//       finish() { … }
//     }
//     serve({ 'inline-tag': Parser }, { name: 'my parser', version: '1.0' });
//
// It speaks version 1 of the adapter protocol (spec/PROTOCOL.md of anysplit). README.md says what else `serve` takes.

import { inspect } from 'node:util';

const PROTOCOL = 1;
const KINDS = ['text', 'bytes', 'objects'];
const REFUSALS = ['protocol', 'cmd', 'dialect', 'option'];

// What the cases of a dialect are, where the adapter does not say how it is fed; all others are text.
const BYTES_DIALECTS = ['sse', 'ndjson'];
const OBJECTS_DIALECTS = ['chat-chunks', 'default-expanded', 'ai-sdk-parts', 'tool-stages'];

/**
 * Throw it from a constructor or from `feed`: this case cannot be put to the implementation.
 * `what` is "option" (it has no such setting), "dialect", "cmd" or "protocol"; `reason` is for people.
 */
export class Unsupported extends Error {
  constructor(what, reason = '') {
    if (!REFUSALS.includes(what)) throw new RangeError(`Unsupported takes one of ${REFUSALS.join(', ')}, not ${inspect(what)}`);
    super(`${what}: ${reason}`);
    this.name = 'Unsupported';
    this.what = what;
    this.reason = String(reason);
  }
}

/** Marks a function that makes instances with `feed` and `finish`: `serve({ 'inline-tag': machine(make) }, …)`. */
export function machine(factory) {
  if (typeof factory !== 'function') throw new TypeError('machine() takes a function');
  return new Instances(factory, false);
}

/** Answers the requests on standard input until `bye` or its end, then exits with 0. */
export function serve(dialects, settings) {
  return answerAll(new Adapter(dialects, settings ?? {}));
}

async function answerAll(adapter) {
  const write = takeStdout();
  const faults = new Faults();
  for await (const line of lines(process.stdin)) {
    const answer = await adapter.answer(line, faults);
    if (answer === undefined) break;
    await write(`${answer}\n`);
  }
  // Not left to the event loop: an implementation may have timers or sockets open. Every answer has been written.
  process.exit(0);
}

/** Takes standard output for the protocol; `console.log` and `process.stdout.write` go to standard error from here on. */
function takeStdout() {
  const { stdout, stderr } = process;
  const original = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  stdout.on('error', () => process.exit(1)); // nobody reads any more
  return (text) => new Promise((resolve) => original(text, resolve));
}

async function* lines(stream) {
  let parts = [];
  for await (const data of stream) {
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      yield Buffer.concat([...parts, data.subarray(start, end)]);
      parts = [];
      start = end + 1;
    }
    if (start < data.length) parts.push(data.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

/** What goes wrong where nobody waits for it: a promise nobody handles, a throw in a timer. */
class Faults {
  #reject;

  constructor() {
    process.on('unhandledRejection', (error) => this.#raise(error));
    process.on('uncaughtException', (error) => this.#raise(error));
  }

  /** Does the work of one request; such a fault ends it, whatever it is still waiting for. */
  async during(work) {
    const fault = new Promise((_, reject) => (this.#reject = reject));
    try {
      return await Promise.race([this.#settled(work), fault]);
    } finally {
      this.#reject = undefined;
    }
  }

  async #settled(work) {
    const result = await work();
    // Node tells of unhandled rejections after the microtasks; one turn later those of this request have been told.
    await new Promise(setImmediate);
    return result;
  }

  #raise(error) {
    if (this.#reject) return this.#reject(error);
    process.stderr.write(`anysplit-kit: between two requests: ${trace(error) ?? message(error)}\n`);
    process.exit(1);
  }
}

/** Turns a request line into an answer line. */
class Adapter {
  #subjects;
  #settings;
  #walking;

  constructor(dialects, settings) {
    this.#subjects = new Map(Object.entries(dialects).map(([dialect, given]) => [dialect, subjectOf(dialect, given)]));
    if (this.#subjects.size === 0) throw new TypeError('there is no dialect to serve');
    if (typeof settings.name !== 'string' || settings.name === '') throw new TypeError('serve needs a name');
    checkAccepts(settings.accepts);
    this.#settings = settings;
  }

  /** The answer without its line end, or undefined where it is time to exit. */
  async answer(line, faults) {
    let id = null;
    try {
      const request = parse(line);
      id = requestId(request);
      if (request.cmd === 'bye') return undefined;
      return answerText(id, await faults.during(() => this.#dispatch(request)));
    } catch (error) {
      if (!(error instanceof Unsupported)) return answerText(id, errorFields(error));
      return answerText(id, { unsupported: JSON.stringify(error.what), reason: JSON.stringify(error.reason) });
    }
  }

  #dispatch(request) {
    switch (request.cmd) {
      case 'hello':
        return this.#hello(request);
      case 'run':
        return this.#run(request);
      case 'sweep':
        return this.#sweep(request);
    }
    if (this.#forks()) {
      switch (request.cmd) {
        case 'walk':
          return this.#walk(request);
        case 'fork':
          return this.#fork(request);
        case 'finish':
          return this.#finish(request);
      }
    }
    throw new Unsupported('cmd', `there are hello, run, sweep${this.#forks() ? ', walk, fork, finish' : ''} and bye`);
  }

  #forks() {
    return [...this.#subjects.values()].every((subject) => subject.canFork);
  }

  #hello(request) {
    if (request.protocol !== PROTOCOL) throw new Unsupported('protocol', `I speak ${PROTOCOL}`);
    const { name, version, accepts, violations } = this.#settings;
    const caps = ['sweep'];
    if (this.#forks()) caps.push('fork', 'fingerprint');
    if (violations) caps.push('violations');
    const greeting = {
      protocol: PROTOCOL,
      name,
      version: version == null ? undefined : String(version),
      language: 'javascript',
      dialects: [...this.#subjects.keys()],
      accepts: accepts ?? undefined,
      caps,
    };
    const present = Object.entries(greeting).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present.map(([field, value]) => [field, JSON.stringify(value)]));
  }

  #run(request) {
    const { subject, options, kind } = this.#asked(request);
    const chunks = listOf(request, 'chunks').map((chunk) => decodeChunk(chunk, kind));
    const out = [];
    return attempt(
      () => subject.play(options, chunks, out),
      () => ({ out: listsText(out) }),
      (error) => ({ ...errorFields(error), out: listsText(out) }),
    );
  }

  #sweep(request) {
    const { subject, options, kind } = this.#asked(request);
    const source = sourceOf(listOf(request, 'atoms'), kind);
    const cuts = listOf(request, 'cuts');
    const numbers = new Map();
    const runs = [];
    const add = (text) => void runs.push(numberOf(numbers, text));
    const pending = inTurn(cuts.length, (i) => {
      const out = [];
      return attempt(
        () => subject.play(options, source.chunks(cuts[i]), out),
        () => add(eventsText(out.flat())),
        // One list, whatever the cuts: the same events and the same error are the same outcome.
        (error) => add(`{${membersText({ ...errorFields(error), out: listsText([out.flat()]) })}}`),
      );
    });
    return afterwards(pending, () => ({ outcomes: outcomesText(numbers), runs: JSON.stringify(runs) }));
  }

  #walk(request) {
    const { subject, options, kind } = this.#asked(request);
    this.#walking = undefined;
    const walk = new Walk(sourceOf(listOf(request, 'atoms'), kind));
    const state = walk.keep(0, subject.make(options));
    this.#walking = walk;
    return { state: JSON.stringify(state) };
  }

  #fork(request) {
    const walk = this.#currentWalk();
    const { at, state } = request;
    const ends = listOf(request, 'ends');
    const instance = walk.instance(at, state);
    walk.forgetBefore(at);
    const numbers = new Map();
    const steps = [];
    let out = [];
    return attempt(
      () =>
        inTurn(ends.length, (i) => {
          out = [];
          return afterwards(walk.step(instance, at, ends[i], out), (after) => {
            steps.push([numberOf(numbers, eventsText(out.flat())), after]);
          });
        }),
      () => ({ outcomes: outcomesText(numbers), steps: JSON.stringify(steps) }),
      (error) => ({ ...errorFields(error), out: listsText([out.flat()]) }),
    );
  }

  #finish(request) {
    const walk = this.#currentWalk();
    const copy = walk.instance(walk.source.length, request.state).fork();
    const out = [];
    return attempt(
      () => collect(copy.finish(), out),
      () => ({ out: listsText(out) }),
      (error) => ({ ...errorFields(error), out: listsText(out) }),
    );
  }

  #currentWalk() {
    if (!this.#walking) throw new Error('bad request: there was no walk');
    return this.#walking;
  }

  /** The subject, the options and the kind of chunks that a request means. */
  #asked(request) {
    const { dialect, options = {} } = request;
    const subject = this.#subjects.get(dialect);
    if (!subject) throw new Unsupported('dialect', `only ${[...this.#subjects.keys()].join(', ')}`);
    if (typeof options !== 'object' || options === null || Array.isArray(options)) throw new Error('bad request: `options` is no object');
    return { subject, options, kind: this.#kind(dialect, options) };
  }

  #kind(dialect, options) {
    const { accepts } = this.#settings;
    const usual = defaultKind(dialect);
    const natural = usual === 'objects' && 'transport' in options ? 'bytes' : usual;
    const given = typeof accepts === 'object' && accepts !== null ? accepts[dialect] : accepts;
    const accepted = [given ?? usual].flat();
    if (accepted.includes(natural)) return natural;
    if (usual === 'objects' && 'transport' in options) {
      throw new Unsupported('option', 'it takes no bytes, so there is no transport');
    }
    return accepted[0];
  }
}

// Work that may be asynchronous. Nothing is awaited that is no promise: an await costs more than most runs.

function isPromise(value) {
  return typeof value?.then === 'function';
}

/** `next(result)`, at once where it is no promise. */
function afterwards(result, next) {
  return isPromise(result) ? Promise.resolve(result).then(next) : next(result);
}

/** Does the work, then `done` or `failed`. That something is unsupported is no failure and goes on upwards. */
function attempt(work, done, failed) {
  const fail = (error) => {
    if (error instanceof Unsupported) throw error;
    return failed(error);
  };
  let pending;
  try {
    pending = work();
  } catch (error) {
    return fail(error);
  }
  return isPromise(pending) ? Promise.resolve(pending).then(done, fail) : done();
}

/** `step(0)` to `step(count - 1)`, each after the one before it; a promise only if one of them was. */
function inTurn(count, step) {
  for (let i = 0; i < count; i++) {
    const pending = step(i);
    if (isPromise(pending)) return inTurnFrom(pending, i + 1, count, step);
  }
  return undefined;
}

async function inTurnFrom(pending, next, count, step) {
  await pending;
  for (let i = next; i < count; i++) await step(i);
}

// Subjects: what `serve` was given for a dialect.

function subjectOf(dialect, given) {
  if (given instanceof Instances) return given;
  const made = typeof given === 'function' ? given.constructor.name : '';
  if (made === 'GeneratorFunction' || made === 'AsyncGeneratorFunction') return new Pull(given, made === 'AsyncGeneratorFunction');
  if (!isClass(given)) throw new TypeError(`${dialect}: give a class, a generator function or machine(factory)`);
  return new Instances(given, true);
}

/** A function with `feed` on its prototype is a class however it was compiled; other classes are told by how they are written. */
function isClass(given) {
  if (typeof given !== 'function') return false;
  return typeof given.prototype?.feed === 'function' || /^class\b/.test(Function.prototype.toString.call(given));
}

/** A class or factory of instances with `feed` and `finish`. */
class Instances {
  #factory;
  #isClass;

  constructor(factory, isClass) {
    this.#factory = factory;
    this.#isClass = isClass;
  }

  get canFork() {
    const { prototype } = this.#factory;
    return this.#isClass && typeof prototype.fork === 'function' && typeof prototype.fingerprint === 'function';
  }

  make(options) {
    const own = copyJson(options);
    return this.#isClass ? new this.#factory(own) : this.#factory(own);
  }

  /** One run; `out` grows as the events come, so that it holds what there was before an error. */
  play(options, chunks, out) {
    return afterwards(this.make(options), (instance) => feedAll(instance, chunks, out));
  }
}

function feedAll(instance, chunks, out) {
  return inTurn(chunks.length + 1, (i) => collect(i < chunks.length ? instance.feed(chunks[i]) : instance.finish(), out));
}

/** A generator function that takes an iterable of chunks and yields events. */
class Pull {
  canFork = false;
  #function;
  #isAsync;

  constructor(fn, isAsync) {
    this.#function = fn;
    this.#isAsync = isAsync;
  }

  play(options, chunks, out) {
    // The first list is there before anything is pulled: what comes so early counts for the first chunk.
    out.push([]);
    const pulled = this.#isAsync ? pulledAsync(chunks, out) : pulledSync(chunks, out);
    const events = this.#function(pulled, copyJson(options));
    if (this.#isAsync) return drainAsync(events, chunks, out);
    for (const event of events) out.at(-1).push(encodeEvent(event));
    pad(chunks, out);
  }
}

/** The chunks one by one; with each that is asked for, and with their end, another list of `out` begins. */
function* pulledSync(chunks, out) {
  for (const [number, chunk] of chunks.entries()) {
    if (number > 0) out.push([]);
    yield chunk;
  }
  if (chunks.length > 0) out.push([]);
}

async function* pulledAsync(chunks, out) {
  yield* pulledSync(chunks, out);
}

async function drainAsync(events, chunks, out) {
  for await (const event of events) out.at(-1).push(encodeEvent(event));
  pad(chunks, out);
}

/** Where a generator stopped before the end of its chunks, there were no events for the others. */
function pad(chunks, out) {
  while (out.length <= chunks.length) out.push([]);
}

// Events. They are encoded the moment they come: an implementation may go on changing an object that it gave out.

function collect(events, out) {
  const came = [];
  out.push(came);
  return gather(events, came);
}

function gather(events, came) {
  if (events === undefined || events === null) return undefined;
  if (isPromise(events)) return Promise.resolve(events).then((settled) => gather(settled, came));
  if (typeof events === 'object') {
    if (typeof events[Symbol.asyncIterator] === 'function') return gatherAsync(events, came);
    if (typeof events[Symbol.iterator] !== 'function') return void came.push(encodeEvent(events));
    for (const event of events) came.push(encodeEvent(event));
    return undefined;
  }
  throw new TypeError(`feed and finish give events (objects), not ${inspect(events)}`);
}

async function gatherAsync(events, came) {
  for await (const event of events) came.push(encodeEvent(event));
}

function encodeEvent(event) {
  if (typeof event !== 'object' || event === null) throw new TypeError(`an event is an object, not ${inspect(event)}`);
  if (typeof event.type !== 'string') throw new TypeError('an event has a string `type`');
  return JSON.stringify(event);
}

function eventsText(encoded) {
  return `[${encoded.join(',')}]`;
}

function listsText(out) {
  return `[${out.map(eventsText).join(',')}]`;
}

/** The number of an outcome among the distinct ones. */
function numberOf(numbers, text) {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

function outcomesText(numbers) {
  return `[${[...numbers.keys()].join(',')}]`;
}

// Input: how chunks, atoms and cuts become what an implementation is fed.

function decodeChunk(chunk, kind) {
  if (kind === 'objects') return chunk;
  if (typeof chunk !== 'string') throw new Error(`bad request: a chunk of ${kind} is a string`);
  // No Buffer: its `slice` and `toString` are not those of the Uint8Array that an implementation expects.
  return kind === 'bytes' ? new Uint8Array(Buffer.from(chunk, 'base64')) : chunk;
}

function sourceOf(atoms, kind) {
  return kind === 'objects' ? new Items(atoms) : new Joined(atoms, kind);
}

/** Text or bytes: atoms joined once, chunks are slices (of bytes: copies). */
class Joined {
  #whole;
  #borders = [0];

  constructor(atoms, kind) {
    const parts = atoms.map((atom) => decodeChunk(atom, kind));
    this.#whole = kind === 'bytes' ? new Uint8Array(Buffer.concat(parts)) : parts.join('');
    this.length = parts.length;
    for (const part of parts) this.#borders.push(this.#borders.at(-1) + part.length);
  }

  chunks(cuts) {
    const chunks = [];
    let start = 0;
    for (const cut of [...cuts, this.length]) {
      chunks.push(...this.between(start, cut));
      start = cut;
    }
    return chunks;
  }

  between(at, end) {
    return [this.#whole.slice(this.#borders[at], this.#borders[end])];
  }
}

/** Items, each its own chunk. Each run gets its own copies, because reducers like to change what they are given. */
class Items {
  #texts;

  constructor(atoms) {
    this.length = atoms.length;
    this.#texts = atoms.map((atom) => JSON.stringify(atom));
  }

  chunks() {
    return this.between(0, this.length);
  }

  between(at, end) {
    return this.#texts.slice(at, end).map((text) => JSON.parse(text));
  }
}

/** Each instance gets options of its own: one that takes something out of them must not change the next run. */
function copyJson(options) {
  return Object.keys(options).length === 0 ? {} : JSON.parse(JSON.stringify(options));
}

/** The instances of a walk, one for each offset and fingerprint. */
class Walk {
  #states = new Map();

  constructor(source) {
    this.source = source;
  }

  instance(at, state) {
    const instance = this.#states.get(at)?.get(state);
    if (!instance) throw new Error(`bad request: no instance stands at ${at} with state ${inspect(state)}`);
    return instance;
  }

  forgetBefore(at) {
    for (const offset of this.#states.keys()) if (offset < at) this.#states.delete(offset);
  }

  /** Feeds a copy; the fingerprint after it. */
  step(instance, at, end, out) {
    if (!(at <= end && end <= this.source.length)) throw new Error(`bad request: ${end} is no end behind ${at}`);
    const copy = instance.fork();
    const chunks = this.source.between(at, end);
    const pending = inTurn(chunks.length, (i) => collect(copy.feed(chunks[i]), out));
    return afterwards(pending, () => this.keep(end, copy));
  }

  keep(at, instance) {
    const state = instance.fingerprint();
    if (typeof state !== 'string') throw new TypeError(`fingerprint() gives a string, not ${inspect(state)}`);
    if (!this.#states.has(at)) this.#states.set(at, new Map());
    const states = this.#states.get(at);
    if (!states.has(state)) states.set(state, instance);
    return state;
  }
}

// Lines.

// Fatal, so that broken UTF-8 is told and not replaced.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parse(line) {
  let request;
  try {
    request = JSON.parse(utf8.decode(line));
  } catch (error) {
    throw new Error(`bad request: the line is no JSON: ${error.message}`);
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) throw new Error('bad request: the line is no object');
  return request;
}

function requestId({ id }) {
  if (!Number.isInteger(id)) throw new Error('bad request: `id` is no integer');
  return id;
}

function listOf(request, field) {
  if (!Array.isArray(request[field])) throw new Error(`bad request: \`${field}\` is no list`);
  return request[field];
}

/** An answer of fields that are JSON already. */
function answerText(id, fields) {
  return `{${membersText({ id: JSON.stringify(id), ...fields })}}`;
}

function membersText(fields) {
  return Object.entries(fields)
    .map(([field, text]) => `"${field}":${text}`)
    .join(',');
}

function errorFields(error) {
  const fields = { error: JSON.stringify(message(error)) };
  const where = trace(error);
  return where === undefined ? fields : { ...fields, trace: JSON.stringify(where) };
}

function message(error) {
  if (!(error instanceof Error)) return `thrown: ${inspect(error)}`;
  return error.message ? `${error.name}: ${error.message}` : String(error.name);
}

/** The stack down to the kit's own frames: they are not what one looks for. */
function trace(error) {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined;
  const stack = error.stack.split('\n');
  const own = stack.findIndex((line) => line.includes(import.meta.url));
  return (own < 0 ? stack : stack.slice(0, own)).join('\n');
}

// How a dialect is fed.

function defaultKind(dialect) {
  if (BYTES_DIALECTS.includes(dialect)) return 'bytes';
  return OBJECTS_DIALECTS.includes(dialect) ? 'objects' : 'text';
}

function checkAccepts(accepts) {
  if (accepts === undefined || accepts === null) return;
  if (Array.isArray(accepts)) throw new TypeError('accepts: a list is given per dialect, in an object');
  for (const given of typeof accepts === 'object' ? Object.values(accepts) : [accepts]) {
    const kinds = [given].flat();
    if (kinds.length === 0 || !kinds.every((kind) => KINDS.includes(kind))) {
      throw new TypeError(`accepts: one of ${KINDS.join(', ')}, not ${inspect(given)}`);
    }
  }
}
