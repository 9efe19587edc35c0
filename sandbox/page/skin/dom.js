// The `dom` tool. Each action takes the tool's input, which the hub has checked against its schema,
// and gives the result for the model, or throws an error that the model can act on.

import {
  after,
  append,
  apply,
  before,
  bodyOf,
  childrenOf,
  clearTimer,
  contentOf,
  headOf,
  isConnected,
  isElement,
  keys,
  localNameOf,
  makeElement,
  NativeError,
  NativePromise,
  now,
  observe,
  Observer,
  prepend,
  removeAttribute,
  removeElement,
  replaceChildren,
  rootOf,
  round,
  setAttribute,
  setHtml,
  setPrototypeOf,
  setText,
  setTimer,
  textOf,
  unobserve,
} from './pristine.js';
import { list, push } from './list.js';
import { NAME_LIMIT } from './json.js';
import { shorten } from './shorten.js';
import { attributesOf, body, rendered, select, selectSome, tagOf } from './elements.js';
import { runScripts } from './scripts.js';
import { takeScreenshot } from './screenshot.js';
import { addListener, hasListener, LISTENER_LIMIT, listeners, removeListener } from './listeners.js';

const TEXT_IN_QUERY = 500;
const QUERY_LIMIT = 20;
const WAIT_MS = 5000;

/** @type {Record<string, (input: any) => object | Promise<object>>} */
const actions = setPrototypeOf(
  {
    create: createElements,
    modify: modifyElement,
    query: queryElements,
    remove: removeElements,
    listen,
    unlisten,
    get_listeners: getListeners,
    wait_for: waitFor,
    screenshot: takeScreenshot,
  },
  null,
);

/**
 * @param {any} input
 * @returns {Promise<object>}
 */
export async function performDom(input) {
  const action = actions[input.action];
  if (!action) throw new NativeError(`unknown action: ${input.action}`);
  return await action(input);
}

/** @param {{ selector?: string, html?: string, position?: string }} input */
function createElements({ selector = 'body', html, position = 'append' }) {
  if (html === undefined) throw new NativeError('create needs html');
  const place = selectSome(selector)[0];
  const nodes = parseHtml(html);
  const elements = list();
  for (let i = 0; i < nodes.length; i += 1) {
    if (isElement(nodes[i])) push(elements, nodes[i]);
  }
  insert(place, position, nodes);
  runScripts(elements);
  const shown = firstShown(elements) ?? body();
  return { created: tagsOf(elements), rendered: rendered(shown) };
}

/**
 * @param {Element} place
 * @param {string} position
 * @param {Node[]} nodes
 */
function insert(place, position, nodes) {
  const isFixed = place === rootOf(document) || place === headOf(document) || place === bodyOf(document);
  switch (position) {
    case 'append':
      return apply(append, undefined, withFirst(place, nodes));
    case 'prepend':
      return apply(prepend, undefined, withFirst(place, nodes));
    case 'replace':
      if (place === rootOf(document)) break;
      return apply(replaceChildren, undefined, withFirst(place, nodes));
    case 'before':
      if (isFixed) break;
      return apply(before, undefined, withFirst(place, nodes));
    case 'after':
      if (isFixed) break;
      return apply(after, undefined, withFirst(place, nodes));
  }
  throw new NativeError(`nothing can be put at position ${position} of ${tagOf(place)}; use append, prepend or replace on body`);
}

/**
 * @typedef {Record<string, string | null>} Changes `null` removes
 * @param {{ selector?: string, html?: string, text?: string, attributes?: Changes, style?: Changes }} input
 */
function modifyElement({ selector, html, text, attributes, style }) {
  const element = selectSome(needed(selector, 'selector', 'modify'))[0];
  if (html === undefined && text === undefined && !attributes && !style) {
    throw new NativeError('modify needs html, text, attributes or style');
  }
  if (html !== undefined && text !== undefined) throw new NativeError('modify takes html or text, not both');
  if ((html !== undefined || text !== undefined) && element === rootOf(document)) {
    throw new NativeError('the content of html cannot be replaced as a whole; modify head or body');
  }
  if (attributes) changeAttributes(element, attributes);
  const ignored = style ? changeStyle(element, style) : list();
  if (text !== undefined) setText(element, text);
  if (html !== undefined) {
    setHtml(element, html);
    runScripts(select(':scope > *', element));
  }
  const result = { modified: tagOf(element), rendered: rendered(isConnected(element) ? element : body()) };
  return ignored.length > 0 ? { ...result, ignored_style: ignored } : result;
}

/**
 * @param {Element} element
 * @param {Changes} attributes
 */
function changeAttributes(element, attributes) {
  const names = keys(attributes);
  for (let i = 0; i < names.length; i += 1) {
    const value = attributes[names[i]];
    if (value === null) removeAttribute(element, names[i]);
    else setAttribute(element, names[i], value);
  }
}

/**
 * @param {Element} element
 * @param {Changes} changes
 * @returns {string[]} what the browser did not take
 */
function changeStyle(element, changes) {
  const ignored = list();
  const { style } = /** @type {HTMLElement} */ (element);
  const names = keys(changes);
  for (let i = 0; i < names.length; i += 1) {
    const value = changes[names[i]];
    style.removeProperty(names[i]);
    if (value === null || value === '') continue;
    style.setProperty(names[i], value);
    if (style.getPropertyValue(names[i]) === '') push(ignored, `${names[i]}: ${value}`);
  }
  return ignored;
}

/** @param {{ selector?: string, limit?: number }} input */
function queryElements({ selector, limit = QUERY_LIMIT }) {
  const found = selectSome(needed(selector, 'selector', 'query'));
  const elements = list();
  for (let i = 0; i < found.length && i < limit; i += 1) {
    const element = found[i];
    push(elements, {
      tag: localNameOf(element),
      attributes: attributesOf(element),
      text: shorten(/** @type {string} */ (textOf(element)), TEXT_IN_QUERY),
      ...formValue(element),
      rendered: rendered(element),
    });
  }
  return { count: found.length, elements };
}

/** @param {Element} element */
function formValue(element) {
  if (element instanceof HTMLInputElement) {
    const isTicked = element.type === 'checkbox' || element.type === 'radio';
    return isTicked ? { value: element.value, checked: element.checked } : { value: element.value };
  }
  const hasValue = element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
  return hasValue ? { value: element.value } : {};
}

/** @param {{ selector?: string }} input */
function removeElements({ selector }) {
  const found = selectSome(needed(selector, 'selector', 'remove'));
  for (let i = 0; i < found.length; i += 1) {
    const isFixed = found[i] === rootOf(document) || found[i] === headOf(document) || found[i] === bodyOf(document);
    if (isFixed) throw new NativeError(`${tagOf(found[i])} cannot be removed; replace its content`);
  }
  for (let i = 0; i < found.length; i += 1) removeElement(found[i]);
  return { removed: tagsOf(found), rendered: rendered(body()) };
}

/** @param {{ selector?: string, event?: string }} input */
function listen(input) {
  const selector = needed(input.selector, 'selector', 'listen');
  const event = needed(input.event, 'event', 'listen');
  const found = select(selector);
  if (`${event} ${selector}`.length > NAME_LIMIT) {
    throw new NativeError(`event and selector are longer than ${NAME_LIMIT} characters; give the element an id`);
  }
  if (listeners.length >= LISTENER_LIMIT) throw new NativeError(`the page has ${LISTENER_LIMIT} listeners, which is the most`);
  addListener(selector, event);
  return { listening: `${event} ${selector}`, matches: found.length, rendered: rendered(found[0] ?? body()) };
}

/** @param {{ selector?: string, event?: string }} input */
function unlisten(input) {
  const selector = needed(input.selector, 'selector', 'unlisten');
  const event = needed(input.event, 'event', 'unlisten');
  if (!hasListener(selector, event)) throw new NativeError(`nothing listens to ${event} on ${selector}`);
  removeListener(selector, event);
  return { ended: `${event} ${selector}` };
}

function getListeners() {
  return { listeners };
}

/** @param {{ selector?: string, timeout_ms?: number }} input */
function waitFor({ selector, timeout_ms: timeoutMs = WAIT_MS }) {
  const wanted = needed(selector, 'selector', 'wait_for');
  const started = now();
  select(wanted);
  return new NativePromise((resolve, reject) => {
    const stop = () => {
      unobserve(observer);
      clearTimer(timer);
    };
    const look = () => {
      const found = select(wanted);
      if (found.length === 0) return false;
      stop();
      resolve({ found: tagOf(found[0]), count: found.length, millis: round(now() - started), rendered: rendered(found[0]) });
      return true;
    };
    const observer = new Observer(look);
    const timer = setTimer(() => {
      if (look()) return;
      stop();
      reject(new NativeError(`no element matches ${wanted} after ${timeoutMs} ms`));
    }, timeoutMs);
    observe(observer, document, { attributes: true, characterData: true, childList: true, subtree: true });
    look();
  });
}

/**
 * @param {string} html
 * @returns {Node[]}
 */
function parseHtml(html) {
  const template = makeElement(document, 'template');
  setHtml(template, html);
  const nodes = list();
  const children = childrenOf(contentOf(template));
  for (let i = 0; children[i]; i += 1) push(nodes, children[i]);
  return nodes;
}

/**
 * The first of these that takes room in the page.
 *
 * @param {Element[]} elements
 */
function firstShown(elements) {
  for (let i = 0; i < elements.length; i += 1) {
    const name = localNameOf(elements[i]);
    const isUnseen = name === 'script' || name === 'style' || name === 'template' || name === 'link' || name === 'meta';
    if (!isUnseen && isConnected(elements[i])) return elements[i];
  }
  return null;
}

/**
 * @param {Element[]} elements
 * @returns {string[]}
 */
function tagsOf(elements) {
  const tags = list();
  for (let i = 0; i < elements.length && i < QUERY_LIMIT; i += 1) push(tags, tagOf(elements[i]));
  if (elements.length > QUERY_LIMIT) push(tags, `… ${elements.length} in all`);
  return tags;
}

/**
 * @template T
 * @param {T} first
 * @param {any[]} rest
 */
function withFirst(first, rest) {
  const all = list();
  push(all, first);
  for (let i = 0; i < rest.length; i += 1) push(all, rest[i]);
  return all;
}

/**
 * @param {string | undefined} value
 * @param {string} name
 * @param {string} action
 */
function needed(value, name, action) {
  if (typeof value !== 'string') throw new NativeError(`${action} needs ${name}`);
  return value;
}
