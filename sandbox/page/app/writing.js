// A page that is still being read cannot write into itself: what it writes is markup that is read with the rest of it and
// can bring trees along in which frames hide. The hub takes such trees out of what it serves.

import { defineProperty, NativeException } from '../skin/pristine.js';

function refuse() {
  throw new NativeException('A page here cannot write into its document. Make elements instead.', 'NotSupportedError');
}

for (const name of ['write', 'writeln']) defineProperty(Document.prototype, name, { value: refuse });
