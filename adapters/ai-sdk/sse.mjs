// node sse.mjs 5|6|7: the SSE decoder of the package `ai`, parseJsonEventStream, as a target for `sse`.
//
// It gives what each event's `data` is as JSON, and nothing else of the event. So what is judged is the data: JSON is written again from
// its value, text that is no JSON is taken from the error that names it, and every event is called `message`, without an id.
import { serve, Unsupported } from '../kit/node/anysplit-kit.mjs';
import { load } from './majors.mjs';

const { ai, version } = await load(process.argv[2]);
// Version 5 has it in a package of its own, which `ai` pins.
const { parseJsonEventStream } = 'parseJsonEventStream' in ai ? ai : await import('@ai-sdk/provider-utils');

class Decoder {
  #controller;
  #reading;
  #error;
  #out = [];

  constructor({ limit }) {
    if (limit !== undefined) throw new Unsupported('option', 'no limit can be set');
    const stream = new ReadableStream({ start: (controller) => (this.#controller = controller) });
    this.#reading = this.#read(parseJsonEventStream({ stream })).catch((error) => (this.#error = error));
  }

  async #read(results) {
    for await (const result of results) {
      const data = result.success ? JSON.stringify(result.value) : result.error.text;
      this.#out.push({ type: 'event', event: 'message', data, id: '' });
    }
  }

  async feed(bytes) {
    this.#controller.enqueue(bytes);
    // All the way through the pipe there are promises and nothing else: when the loop turns, they have all been settled.
    await new Promise(setImmediate);
    return this.#take();
  }

  async finish() {
    this.#controller.close();
    await this.#reading;
    return this.#take();
  }

  #take() {
    if (this.#error) throw this.#error;
    return this.#out.splice(0);
  }
}

serve({ sse: Decoder }, { name: `ai ${process.argv[2]}: parseJsonEventStream`, version });
