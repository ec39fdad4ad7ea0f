// A stream whose reader sets the pace. A package that reads a stream tells nobody when it is done with an item, but it comes back
// for the next one only then: `put` waits for that, so what it changed can be looked at. No clock is involved.
export class Paced {
  #controller;
  #hungry = deferred();
  #ended;

  // `read` gets the stream and returns a promise that settles when the package has stopped reading, for whatever reason.
  constructor(read) {
    const stream = new ReadableStream(
      { start: (controller) => (this.#controller = controller), pull: () => this.#hungry.resolve(true) },
      { highWaterMark: 0 },
    );
    this.#ended = Promise.resolve(read(stream)).then(() => false, () => false);
  }

  // Resolves to false where the package does not read any more: the item is lost then, as it would be in life.
  async put(item) {
    if (!(await this.#next())) return false;
    this.#hungry = deferred();
    this.#controller.enqueue(item);
    return this.#next();
  }

  async close() {
    if (await this.#next()) this.#controller.close();
    await this.#ended;
  }

  #next() {
    return Promise.race([this.#hungry.promise, this.#ended]);
  }
}

function deferred() {
  let resolve;
  const promise = new Promise((r) => (resolve = r));
  return { promise, resolve };
}
