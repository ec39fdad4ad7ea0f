/** How an implementation is fed. */
export type Kind = 'text' | 'bytes' | 'objects';

/** What comes out: the dialect's README says which types there are. */
export interface Event {
  type: string;
  [field: string]: unknown;
}

/** What `feed` and `finish` may give; one event alone is allowed too. */
export type Events = Iterable<Event> | AsyncIterable<Event> | Event | null | undefined | void;

/** A streaming implementation. `Chunk` is `string` (text), `Uint8Array` (bytes) or one item (objects). */
export interface Machine<Chunk = any> {
  feed(chunk: Chunk): Events | PromiseLike<Events>;
  finish(): Events | PromiseLike<Events>;
  /** A copy that goes its own way. With `fingerprint`, both or none. */
  fork?(): Machine<Chunk>;
  /** Equal only for instances that behave alike from here on. */
  fingerprint?(): string;
}

export type Options = Record<string, any>;

/** Made by `machine`. */
export interface MachineFactory {
  readonly canFork: boolean;
}

export type Subject =
  | (new (options: Options) => Machine)
  | ((chunks: AsyncGenerator<any, void, undefined>, options: Options) => AsyncGenerator<Event, unknown, undefined>)
  | ((chunks: Generator<any, void, undefined>, options: Options) => Generator<Event, unknown, undefined>)
  | MachineFactory;

export interface Settings {
  /** What reports call the implementation. */
  name: string;
  version?: string;
  /** Absent: what the dialect's cases are. */
  accepts?: Kind | Record<string, Kind | Kind[]>;
  /** Whether `violation` events are given. */
  violations?: boolean;
}

/** Answers the requests on standard input until `bye` or its end, then exits with 0. */
export function serve(dialects: Record<string, Subject>, settings: Settings): Promise<never>;

/** Marks a function that makes instances with `feed` and `finish`. */
export function machine(factory: (options: Options) => Machine | PromiseLike<Machine>): MachineFactory;

/** Throw it from a constructor or from `feed`: this case cannot be put to the implementation. */
export class Unsupported extends Error {
  constructor(what: 'option' | 'dialect' | 'cmd' | 'protocol', reason?: string);
  readonly what: 'option' | 'dialect' | 'cmd' | 'protocol';
  readonly reason: string;
}
