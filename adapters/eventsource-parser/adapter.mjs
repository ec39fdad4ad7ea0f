import { createRequire } from 'node:module';
import { createParser } from 'eventsource-parser';
import { serve, Unsupported } from '../kit/node/anysplit-kit.mjs';

const { version } = createRequire(import.meta.url)('eventsource-parser/package.json');

// As EventSourceParserStream puts it together behind a TextDecoderStream: decoder, createParser, feed.
class Parser {
  constructor(options) {
    if ('limit' in options) {
      throw new Unsupported('option', 'maxBufferSize counts characters and ends the stream');
    }
    this.decoder = new TextDecoder();
    this.lastId = '';
    this.out = [];
    this.parser = createParser({
      onEvent: ({ id, event, data }) => {
        // The id of an event is what its own lines say; to keep the last one is left to the caller.
        this.lastId = id ?? this.lastId;
        this.out.push({ type: 'event', event: event ?? 'message', data, id: this.lastId });
      },
      onRetry: (retry) => this.out.push({ type: 'retry', retry }),
    });
  }

  feed(chunk) {
    return this.pass(this.decoder.decode(chunk, { stream: true }));
  }

  finish() {
    // The decoder flushes what it holds of a character; the stream's own transformer does nothing more.
    return this.pass(this.decoder.decode());
  }

  pass(text) {
    this.out = [];
    // A TextDecoderStream passes on no empty text.
    if (text !== '') this.parser.feed(text);
    return this.out;
  }
}

serve({ sse: Parser }, { name: 'eventsource-parser', version });
