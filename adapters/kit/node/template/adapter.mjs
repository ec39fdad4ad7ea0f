// An anysplit adapter. Run it with: anysplit run --dialect inline-tag --target 'node adapter.mjs'

import { serve, Unsupported } from './anysplit-kit.mjs';

// Replace this parser with yours: import it, and turn what it gives into events in `feed` and `finish`.
//
// This one is wrong on purpose. It looks for whole markers in each chunk alone, so it passes what comes in one piece and
// loses every call that a chunk boundary cuts. anysplit shows where.

const MARKER = /<tool_call[ \t\r\n]+name="([^"<>\r\n]+)"(?:[ \t\r\n]+args=(\{[^]*?\}))?[ \t\r\n]*>[ \t\r\n]*<\/tool_call>/g;

class Parser {
  constructor(options) {
    // A setting that your parser does not have makes a case not applicable; it is neither passed nor failed.
    if ('limit' in options) throw new Unsupported('option', 'no limit can be set');
  }

  /** The events of this chunk: an array or iterable, or a promise of one. */
  *feed(chunk) {
    let start = 0;
    for (const marker of chunk.matchAll(MARKER)) {
      const args = parseArgs(marker[2] ?? '{}');
      if (args === undefined) continue; // no call: it stays in the text
      yield* text(chunk.slice(start, marker.index));
      yield { type: 'tool_call', name: marker[1], args };
      start = marker.index + marker[0].length;
    }
    yield* text(chunk.slice(start));
  }

  /** What was held back until the end; this parser holds nothing. */
  finish() {
    return [];
  }
}

function parseArgs(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function text(content) {
  return content === '' ? [] : [{ type: 'text', text: content }];
}

serve({ 'inline-tag': Parser }, { name: 'my parser', version: '0.1' });
