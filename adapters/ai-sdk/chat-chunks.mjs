// node chat-chunks.mjs 5|6|7: the chat client of the package `ai` as a target for `chat-chunks`.
//
// AbstractChat is the client behind useChat. It gets a transport that hands it the case's chunks, and is asked for the message's tool
// parts after each of them. The user's answers go to its own addToolApprovalResponse.
import { serve, Unsupported } from '../kit/node/anysplit-kit.mjs';
import { load } from './majors.mjs';
import { Paced } from '../kit/node/paced.mjs';

const { ai, version } = await load(process.argv[2]);

class Reducer {
  #chat;
  #stream;
  #error;
  #shown = [];
  #unnamed = new Set(); // the calls whose approval requests had no approvalId

  constructor({ limit }) {
    if (limit !== undefined) throw new Unsupported('option', 'the client holds all deltas, and no limit can be set');
    const state = {
      status: 'ready',
      error: undefined,
      messages: [],
      pushMessage: (message) => state.messages.push(message),
      popMessage: () => state.messages.pop(),
      replaceMessage: (index, message) => (state.messages[index] = message),
      snapshot: (value) => structuredClone(value),
    };
    this.#stream = new Paced((stream) => {
      this.#chat = new ai.AbstractChat({
        state,
        transport: { sendMessages: async () => stream, reconnectToStream: async () => null },
        onError: (error) => (this.#error = error),
      });
      return this.#chat.sendMessage({ text: 'go' });
    });
  }

  async feed(item) {
    if (isAnswer(item)) {
      // Version 5 has no approval: it passes over requests and denials, and nobody would hear the answer.
      await this.#chat.addToolApprovalResponse?.({ id: item.id, approved: item.approved, reason: item.reason });
    } else {
      for (const chunk of this.#translate(item)) await this.#stream.put(chunk);
    }
    return this.#look();
  }

  async finish() {
    await this.#stream.close();
    return this.#look();
  }

  // Two chunks have other fields in this package's protocol, whose schema would refuse the document's. They are said in its words:
  // - an approval request brings no input, so the input comes first where the call has none, and it must have an id;
  // - an input error must have the tool's name.
  #translate(item) {
    if (item?.type === 'tool-approval-request' && this.#chat.addToolApprovalResponse) {
      const { toolCallId, toolName, input, dynamic } = item;
      const request = { ...item, approvalId: item.approvalId ?? toolCallId };
      if (request.approvalId !== item.approvalId) this.#unnamed.add(toolCallId);
      else this.#unnamed.delete(toolCallId);
      const state = this.#parts().findLast((part) => part.toolCallId === toolCallId)?.state ?? 'input-streaming';
      if (state !== 'input-streaming') return [request];
      return [{ type: 'tool-input-available', toolCallId, toolName, input, dynamic }, request];
    }
    if (item?.type === 'tool-input-error') {
      const part = this.#parts().findLast((other) => other.toolCallId === item.toolCallId);
      return [part ? { toolName: nameOf(part), ...item } : item];
    }
    return [item];
  }

  #parts() {
    const message = this.#chat.lastMessage;
    return message?.role === 'assistant' ? message.parts.filter(isTool) : [];
  }

  #look() {
    repairPrototype();
    if (this.#error) throw this.#error;
    const events = [];
    this.#parts().forEach((part, i) => {
      // The package changes parts in place but replaces their fields, so a flat copy tells whether one has changed.
      if (isAs(this.#shown[i], part)) return;
      this.#shown[i] = { ...part };
      events.push(event(part, this.#unnamed.has(part.toolCallId)));
    });
    return events;
  }
}

function isAnswer(item) {
  return typeof item === 'object' && item !== null && !('type' in item) && item.action === 'approve';
}

function isTool(part) {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

function isAs(shown, part) {
  return (
    shown?.state === part.state &&
    shown.type === part.type &&
    shown.toolName === part.toolName &&
    shown.input === part.input &&
    shown.output === part.output &&
    shown.errorText === part.errorText &&
    shown.preliminary === part.preliminary &&
    shown.approval === part.approval
  );
}

function nameOf(part) {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
}

function event(part, unnamed) {
  const { id, approved, reason } = part.approval ?? {};
  return {
    type: part.type === 'dynamic-tool' ? 'dynamic-tool' : 'tool',
    // What is undefined vanishes on the way to JSON.
    toolInvocation: {
      toolCallId: part.toolCallId,
      toolName: nameOf(part),
      state: part.state,
      // The dialect has no place for partial input (C32), which this package shows.
      input: part.state === 'input-streaming' ? undefined : part.input,
      output: part.output,
      errorText: part.errorText,
      preliminary: part.preliminary === false ? undefined : part.preliminary,
      approvalId: unnamed ? undefined : id,
      approval: approved === undefined ? undefined : { approved, reason },
    },
  };
}

// Version 5 writes to Object.prototype on a delta for the id `__proto__`. One case must not spoil the next.
const own = new Set(Reflect.ownKeys(Object.prototype));
function repairPrototype() {
  for (const key of Reflect.ownKeys(Object.prototype)) if (!own.has(key)) delete Object.prototype[key];
}

serve({ 'chat-chunks': Reducer }, { name: `ai ${process.argv[2]}: AbstractChat`, version, accepts: 'objects' });
