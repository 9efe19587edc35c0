// What the page's scripts made, apart from what was drawn. Scripts run again when a kept page is
// shown, so what they add by themselves would be there twice. It is marked where the page is taken
// down, and left out where it is shown:
//
// - what scripts add before a person has touched the page, and
// - all that they add in a page which uses `flo.state`, for there its memory is.
//
// What they change or replace is kept as it is: they change it again to the same. A press that
// `hand.js` stops is no touch.

import {
  addToSet,
  childrenOf,
  COMMENT,
  htmlOf,
  importNode,
  insertBefore,
  inSet,
  isElement,
  localNameOf,
  makeComment,
  makeDocument,
  NativeWeakSet,
  nodeTypeOf,
  now,
  observe,
  Observer,
  on,
  removeChild,
  takeRecords,
  textOf,
} from './pristine.js';
import { list, push } from './list.js';
import './hand.js';
import { captures } from './captures.js';

const MADE = 'made by a script';
const MADE_END = 'end of what a script made';

/** @type {WeakSet<Node>} */
const made = new NativeWeakSet();
let hasMade = false;
let usesState = false;
export let isTouched = false;
export let lastTouch = 0;
/** Scripts of a page that was just put there have their first turn. */
let isLoading = false;
/** Is told of changes that no tool and no loading made. @type {() => void} */
let tellChanged = () => {};

const changes = new Observer((records) => sortOut(records));

/**
 * From here on, once the frame's own document is complete.
 *
 * @param {() => void} changed
 */
export function watchChanges(changed) {
  tellChanged = changed;
  observe(changes, document, { childList: true, subtree: true, attributes: true, characterData: true });
}

/** What has changed so far was drawn by the agent. */
export function keepChanges() {
  takeRecords(changes);
}

/** What has changed so far is told apart now, before something else begins. */
export function sortOutChanges() {
  sortOut(takeRecords(changes));
}

/** Scripts of the page are about to have their first turn. What has changed so far is not theirs. */
export function beginLoading() {
  keepChanges();
  isLoading = true;
}

export function endLoading() {
  sortOutChanges();
  isLoading = false;
}

/** The page has `flo.state` for a memory. */
export function noteStateUse() {
  usesState = true;
}

/** @param {MutationRecord[]} records */
function sortOut(records) {
  if (records.length === 0) return;
  const isDrawing = captures.length > 0 && !isLoading;
  if (isDrawing) return;
  if (isLoading || !isTouched || usesState) {
    for (let i = 0; i < records.length; i += 1) markAdded(records[i]);
  }
  if (!isLoading) tellChanged();
}

/** @param {MutationRecord} record */
function markAdded({ type, addedNodes, removedNodes }) {
  if (type !== 'childList' || removedNodes.length > 0) return;
  for (let i = 0; i < addedNodes.length; i += 1) {
    addToSet(made, addedNodes[i]);
    hasMade = true;
  }
}

/** A person's hand: no script can pretend to be one. @param {Event} event */
function touch(event) {
  if (!event.isTrusted) return;
  sortOutChanges();
  isTouched = true;
  lastTouch = now();
}

const TOUCHES = ['pointerdown', 'keydown', 'input', 'touchstart'];
for (let i = 0; i < TOUCHES.length; i += 1) on(window, TOUCHES[i], touch, { capture: true, passive: true });

const inert = makeDocument(document.implementation, '');

/**
 * The HTML of an element's inside, with marks around what scripts made.
 *
 * @param {Element} element
 */
export function markedHtml(element) {
  sortOutChanges();
  if (!hasMade) return htmlOf(element);
  try {
    const copy = importNode(inert, element, true);
    markInside(element, copy);
    return htmlOf(copy);
  } catch {
    // Deeper than the stack is: better unmarked than not kept.
    return htmlOf(element);
  }
}

/**
 * @param {Node} original
 * @param {Node} copy its copy, node by node
 */
function markInside(original, copy) {
  if (isElement(original) && isText(localNameOf(original))) return;
  const copies = childList(copy);
  const originals = childList(original);
  let isInside = false;
  for (let i = 0; i < originals.length; i += 1) {
    const isMade = inSet(made, originals[i]);
    if (isMade !== isInside) insertBefore(copy, makeComment(inert, isMade ? MADE : MADE_END), copies[i]);
    isInside = isMade;
    if (!isMade) markInside(originals[i], copies[i]);
  }
  if (isInside) insertBefore(copy, makeComment(inert, MADE_END), null);
}

/**
 * Takes marked parts out again.
 *
 * @param {Node} parent
 */
export function dropMade(parent) {
  const children = childList(parent);
  let isInside = false;
  for (let i = 0; i < children.length; i += 1) {
    const child = children[i];
    const text = nodeTypeOf(child) === COMMENT ? textOf(child) : '';
    if (text === MADE) isInside = true;
    if (isInside || text === MADE_END) removeChild(parent, child);
    else dropMade(child);
    if (text === MADE_END) isInside = false;
  }
}

/**
 * Elements whose inside is text, where a mark would be read as such.
 *
 * @param {string} name
 */
function isText(name) {
  return name === 'script' || name === 'style' || name === 'textarea' || name === 'title' || name === 'noscript';
}

/**
 * @param {Node} parent
 * @returns {Node[]}
 */
function childList(parent) {
  const live = childrenOf(parent);
  const children = list();
  for (let i = 0; i < live.length; i += 1) push(children, live[i]);
  return children;
}
