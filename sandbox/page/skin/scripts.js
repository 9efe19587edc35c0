// Scripts in HTML that is put into the page. The browser leaves them unrun, and its load events are
// long over when they come: here they run, in order, and hear the events all the same.

import {
  attribute,
  attributeNames,
  dispatch,
  isConnected,
  localNameOf,
  makeElement,
  NativeEvent,
  NativePromise,
  on,
  replaceWith,
  setAttribute,
  setText,
  setTimer,
  textOf,
} from './pristine.js';
import { list, push } from './list.js';
import { select } from './elements.js';
import { beginLoading, endLoading } from './made.js';

/**
 * Replaces each script among and inside these elements with one that runs.
 *
 * @param {Element[]} elements
 */
export function runScripts(elements) {
  beginLoading();
  const scripts = list();
  for (let i = 0; i < elements.length; i += 1) {
    if (localNameOf(elements[i]) === 'script') push(scripts, elements[i]);
    const inside = select('script', elements[i]);
    for (let j = 0; j < inside.length; j += 1) push(scripts, inside[j]);
  }
  for (let i = 0; i < scripts.length; i += 1) {
    if (isConnected(scripts[i])) revive(scripts[i]);
  }
}

/** @param {Element} script */
function revive(script) {
  const fresh = makeElement(document, 'script');
  const names = attributeNames(script);
  for (let i = 0; i < names.length; i += 1) setAttribute(fresh, names[i], attribute(script, names[i]) ?? '');
  if (attribute(script, 'async') === null) fresh.async = false;
  setText(fresh, textOf(script));
  replaceWith(script, fresh);
}

/** Lets module scripts, blocked loads and lost rejections have their turn, then tells new listeners that all is loaded. */
export async function settle() {
  await nextTask();
  await nextTask();
  tellLoaded();
  endLoading();
}

function tellLoaded() {
  if (!isAwaitingLoad && !window.onload) return;
  isAwaitingLoad = false;
  dispatch(document, new NativeEvent('DOMContentLoaded', { bubbles: true }));
  dispatch(window, new NativeEvent('load'));
  window.onload = null;
}

/** @returns {Promise<void>} */
function nextTask() {
  return new NativePromise((resolve) => setTimer(resolve, 0));
}

let isAwaitingLoad = false;

/**
 * @this {EventTarget | undefined}
 * @param {string} type
 * @param {EventListener} listener
 * @param {boolean | AddEventListenerOptions} [options]
 */
EventTarget.prototype.addEventListener = function addEventListener(type, listener, options) {
  const target = this ?? window;
  const isLate = (target === window || target === document) && (type === 'DOMContentLoaded' || (type === 'load' && target === window));
  if (!isLate) {
    on(target, type, listener, options);
    return;
  }
  isAwaitingLoad = true;
  const { capture, signal } = typeof options === 'object' && options !== null ? options : { capture: options === true, signal: undefined };
  // Only once: the events are sent again whenever new scripts have come.
  on(target, type, listener, signal ? { capture, signal, once: true } : { capture, once: true });
};
