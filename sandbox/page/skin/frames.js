// No frame in the frame: a policy does not stop one that brings its own text (`srcdoc`), and in there
// nobody of ours is. It is taken out before its document is made.

import { attachShadowTo, observe, Observer, ownNames, removeElement, selectInDocument, selectInShadow, testPattern } from './pristine.js';
import { reportProblem } from './problems.js';

const FRAMES = 'iframe, frame';
/** Functions that read such trees out of markup. */
const READS_TREES = /HTMLUnsafe$|^(set|parse|stream)\w*HTML$/;

/** @param {NodeListOf<Element>} frames */
function removeFrames(frames) {
  for (let i = 0; frames[i]; i += 1) {
    removeElement(frames[i]);
    reportProblem('blocked', 'A page has no frames inside it: one was taken out.');
  }
}

function watchFrames() {
  observe(new Observer(() => removeFrames(selectInDocument(document, FRAMES))), document, { childList: true, subtree: true });
}

/**
 * @this {Element}
 * @param {ShadowRootInit} init
 */
Element.prototype.attachShadow = function attachShadow(init) {
  // A copy of it would be watched by nobody.
  const root = attachShadowTo(this, { ...init, clonable: false });
  observe(new Observer(() => removeFrames(selectInShadow(root, FRAMES))), root, { childList: true, subtree: true });
  return root;
};

// Markup can bring such trees along, which only these read.
for (const place of [Element, ShadowRoot, Document]) {
  for (const owner of [place, place.prototype]) {
    for (const name of ownNames(owner)) {
      if (testPattern(READS_TREES, name)) delete (/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (owner))[name]);
    }
  }
}

watchFrames();
