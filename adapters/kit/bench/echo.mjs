// Echoes each chunk as text: what a sweep costs when the implementation costs nothing.

import { serve } from '../node/anysplit-kit.mjs';

class Echo {
  feed(chunk) {
    return [{ type: 'text', text: chunk }];
  }

  finish() {}
}

serve({ 'inline-tag': Echo }, { name: 'echo (node)', version: '1.0' });
