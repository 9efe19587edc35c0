// The page as a whole: showing one that was kept, and taking the present one down.

import { attributeNames, bodyOf, create, headOf, keys, removeAttribute, rootOf, setAttribute, setHtml, stringify } from './pristine.js';
import { list, push } from './list.js';
import { byteLength, plain } from './json.js';
import { attributesOf, body } from './elements.js';
import { dropMade, markedHtml } from './made.js';
import { runScripts, settle } from './scripts.js';
import { addListener, forgetListeners, listeners } from './listeners.js';
import { putBackTyped } from './typed.js';
import { loadState } from './state.js';
/** @import { Show, SkinDone, SkinPage } from './messages.js' */
/** @import { Outcome } from './runjs.js' */

export const PAGE_LIMIT = 2 * 1024 * 1024;

// A style sheet of the frame's own, not part of the page. Its layer and `:where` let any rule of
// the page win.
const baseStyle = new CSSStyleSheet();
baseStyle.replaceSync(
  '@layer vivarium { :where(html) { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; } }',
);
document.adoptedStyleSheets = [baseStyle];

/** @type {SkinPage} */
export let lastPage = takeDown();

/**
 * Shows a page in place of the present one. Timers of the old page's scripts go on and their
 * `const`s stay taken: only a new frame is rid of them, and a frame cannot reload itself.
 *
 * @param {Show} message
 */
export async function show({ page, state, typed }) {
  lastPage = page;
  forgetListeners();
  loadState(state);

  const root = rootOf(document);
  const head = headOf(document);
  clearAttributes(root);
  setAttributes(root, page.html_attributes);
  setHtml(head, page.head);
  const shownBody = bodyOf(document);
  clearAttributes(shownBody);
  setAttributes(shownBody, page.body_attributes);
  setHtml(shownBody, page.body);
  dropMade(root);
  for (let i = 0; i < page.listeners.length; i += 1) {
    addListener(page.listeners[i].selector, page.listeners[i].event);
  }
  const all = list();
  push(all, root);
  runScripts(all);
  await settle();
  putBackTyped(typed);
}

/**
 * Takes the page down after a tool call. A page that is too large is not kept: the last one is.
 *
 * @param {Outcome} outcome
 * @returns {SkinDone}
 */
export function withPage({ result, isError }) {
  const page = takeDown();
  const size = byteLength(stringify(plain(page)));
  if (size <= PAGE_LIMIT) {
    lastPage = page;
    return { result, is_error: isError, page };
  }
  const error = `The page is now ${size} bytes; ${PAGE_LIMIT} are the most. It is on the screen but was not kept: make it smaller.`;
  return { result: { error, result }, is_error: true, page: lastPage };
}

/** @param {SkinPage} page */
export function keepAsLast(page) {
  lastPage = page;
}

/** @returns {SkinPage} */
export function takeDown() {
  const head = headOf(document);
  const shownBody = body();
  return {
    head: head ? markedHtml(head) : '',
    body: shownBody ? markedHtml(shownBody) : '',
    html_attributes: attributesOf(rootOf(document)),
    body_attributes: shownBody ? attributesOf(shownBody) : create(null),
    listeners,
  };
}

/** @param {Element} element */
function clearAttributes(element) {
  const names = attributeNames(element);
  for (let i = 0; i < names.length; i += 1) removeAttribute(element, names[i]);
}

/**
 * @param {Element} element
 * @param {Record<string, string>} attributes
 */
function setAttributes(element, attributes) {
  const names = keys(attributes);
  for (let i = 0; i < names.length; i += 1) {
    try {
      setAttribute(element, names[i], attributes[names[i]]);
    } catch {
      // The HTML parser takes names that no script may set. Such a one cannot matter to a script.
    }
  }
}
