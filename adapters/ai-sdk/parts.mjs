// node parts.mjs 5|6|7 SCENARIO: what streamText of the package `ai` gives for a model that is written here, as NDJSON on
// standard output, for `anysplit check - --dialect ai-sdk-parts`. No network is involved.
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { load } from './majors.mjs';

const weather = { description: 'the weather of a city', inputSchema: z.object({ city: z.string() }) };
const input = (city) => JSON.stringify({ city });

const call = (id, text, more = {}) => ({ type: 'tool-call', toolCallId: id, toolName: 'weather', input: text, ...more });
const start = (id, more = {}) => ({ type: 'tool-input-start', id, toolName: 'weather', ...more });
const delta = (id, text) => ({ type: 'tool-input-delta', id, delta: text });
const end = (id) => ({ type: 'tool-input-end', id });
const streamed = (id, text) => [start(id), delta(id, text.slice(0, 7)), delta(id, text.slice(7)), end(id), call(id, text)];

let parisRuns;
const paris = new Promise((resolve) => (parisRuns = resolve));

// Per scenario: what the model streams (a function is called when its turn comes), why it ends, what the tool does, and since which
// major there is such a thing.
export const scenarios = {
  'single-call': { model: [call('c1', input('Paris'))] },
  'streamed-input': { model: streamed('c1', input('Paris')) },
  'parallel-calls': {
    model: [
      start('c1'), start('c2'), delta('c1', '{"city":'), delta('c2', input('Rome')), delta('c1', '"Paris"}'),
      end('c2'), call('c2', input('Rome')), end('c1'), call('c1', input('Paris')),
    ],
    // The call that was made first is answered last.
    execute: async ({ city }) => {
      if (city === 'Rome') await paris.then(() => new Promise(setImmediate));
      else parisRuns();
      return { city, degrees: 20 };
    },
  },
  'invalid-input': { model: streamed('c1', '{"town":"Paris"}') },
  'broken-input': { model: streamed('c1', '{"city":"Par') },
  'unknown-tool': { model: [call('c1', '{}', { toolName: 'tides' })] },
  'tool-error': {
    model: streamed('c1', input('Paris')),
    execute: async () => {
      throw new Error('no network');
    },
  },
  'provider-executed': {
    model: [
      start('c1', { providerExecuted: true }), delta('c1', input('Paris')), end('c1'),
      call('c1', input('Paris'), { providerExecuted: true }),
      { type: 'tool-result', toolCallId: 'c1', toolName: 'weather', result: { degrees: 20 }, providerExecuted: true },
    ],
    execute: async () => {
      throw new Error('the provider has run it');
    },
  },
  'preliminary-results': {
    model: [call('c1', input('Paris'))],
    execute: async function* ({ city }) {
      yield { city };
      yield { city, degrees: 20 };
    },
  },
  'approval-request': { model: streamed('c1', input('Paris')), needsApproval: true, since: 6 },
  'cut-by-length': { model: [start('c1'), delta('c1', '{"city":')], reason: 'length' },
  abort: { model: [start('c1'), delta('c1', '{"city":'), (user) => user.abort()] },
};

// Version 5 takes models of specification v2, version 6 those of v3 and version 7 those of v4; here they differ in how they finish.
function finish(major, reason) {
  if (major === '5') {
    return { type: 'finish', finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
  }
  return {
    type: 'finish',
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  };
}

function modelOf(major, { model, reason = 'tool-calls' }, user) {
  return {
    specificationVersion: { 5: 'v2', 6: 'v3', 7: 'v4' }[major],
    provider: 'none',
    modelId: 'none',
    supportedUrls: {},
    doStream: async ({ abortSignal }) => ({
      stream: new ReadableStream({
        async start(controller) {
          // A connection that is cut gives an error, as with `fetch`.
          abortSignal.addEventListener('abort', () => controller.error(abortSignal.reason));
          controller.enqueue({ type: 'stream-start', warnings: [] });
          for (const part of [...model, finish(major, reason)]) {
            // Each part has its own turn, so that what the user does comes between two of them.
            await new Promise(setImmediate);
            if (abortSignal.aborted) return;
            if (typeof part === 'function') part(user);
            else controller.enqueue(part);
          }
          controller.close();
        },
      }),
    }),
  };
}

async function main(major, name) {
  const { ai } = await load(major);
  const scenario = scenarios[name];
  if (!scenario) {
    console.error(`which scenario? ${Object.keys(scenarios).join(', ')}`);
    process.exit(2);
  }
  const user = new AbortController();
  const execute = scenario.execute ?? (async ({ city }) => ({ city, degrees: 20 }));
  const { fullStream } = ai.streamText({
    model: modelOf(major, scenario, user),
    prompt: 'What is the weather?',
    tools: { weather: ai.tool({ ...weather, execute, needsApproval: scenario.needsApproval }) },
    abortSignal: user.signal,
    onError: () => {}, // errors are parts of the stream; by default they are printed too
  });
  for await (const part of fullStream) {
    // An Error keeps its message, which JSON would lose.
    const line = JSON.stringify(part, (_, value) => (value instanceof Error ? { message: value.message } : value));
    process.stdout.write(`${line}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(...process.argv.slice(2));
