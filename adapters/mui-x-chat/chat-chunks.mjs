// node chat-chunks.mjs: @mui/x-chat-headless as a target for `chat-chunks`, the dialect whose document is this package's own.
//
// processStream reads the case's chunks as they are into the store, and the store's message parts are the dialect's events. The
// user's answers go to the addToolApprovalResponse of useChat.
import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ChatProvider } from '@mui/x-chat-headless';
import { useChat, useChatStore } from '@mui/x-chat-headless/hooks';
import { processStream } from '@mui/x-chat-headless/stream';
import { serve, Unsupported } from '../kit/node/anysplit-kit.mjs';
import { Paced } from '../kit/node/paced.mjs';

const manifest = new URL('./node_modules/@mui/x-chat-headless/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));

// The client is a hook: it is rendered once, to nothing, and stays usable, since all it keeps is in the store.
function client() {
  let found;
  const Probe = () => {
    found = { store: useChatStore(), addToolApprovalResponse: useChat().addToolApprovalResponse };
    return null;
  };
  renderToStaticMarkup(createElement(ChatProvider, { adapter: {} }, createElement(Probe)));
  return found;
}

class Reducer {
  #chat = client();
  #stream;
  #error;
  #shown = [];

  constructor({ limit }) {
    if (limit !== undefined) throw new Unsupported('option', 'deltas are not held, so no limit can be set');
    this.#stream = new Paced((stream) =>
      // As useChat does, an id is given for streams whose `start` brings none. Without a flush interval no clock is involved.
      processStream(this.#chat.store, stream, { messageId: 'message', flushInterval: 0 }).catch((error) => {
        this.#error = error;
      }),
    );
  }

  async feed(item) {
    if (isAnswer(item)) await this.#chat.addToolApprovalResponse(item);
    else await this.#stream.put(item);
    return this.#look();
  }

  async finish() {
    await this.#stream.close();
    return this.#look();
  }

  #look() {
    if (this.#error) throw this.#error;
    const { messageIds, messagesById } = this.#chat.store.state;
    const parts = messageIds.flatMap((id) => messagesById[id].parts).filter((part) => part.toolInvocation);
    // Parts are replaced, never changed in place. They are the dialect's events already.
    const changed = parts.filter((part, i) => part !== this.#shown[i]);
    this.#shown = parts;
    return changed;
  }
}

function isAnswer(item) {
  return typeof item === 'object' && item !== null && !('type' in item) && item.action === 'approve';
}

serve({ 'chat-chunks': Reducer }, { name: '@mui/x-chat-headless', version, accepts: 'objects' });
