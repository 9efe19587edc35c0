// Listeners made with the `dom` tool: each event of theirs wakes the agent. They hang on the
// document, so that they also hear elements which come later.

import { closest, create, isArray, isElement, keys, localNameOf, matches, on, rootOf } from './pristine.js';
import { list, push } from './list.js';
import { messageOf } from './describe.js';
import { attributesOf } from './elements.js';
import { notify } from './tell.js';
/** @import { Listener } from './messages.js' */

export const LISTENER_LIMIT = 200;

/** @type {Listener[]} */
export let listeners = list();
/** @type {Record<string, true>} */
const heard = create(null);

/**
 * @param {string} selector
 * @param {string} event
 */
export function hasListener(selector, event) {
  for (let i = 0; i < listeners.length; i += 1) {
    if (listeners[i].selector === selector && listeners[i].event === event) return true;
  }
  return false;
}

/**
 * @param {string} selector
 * @param {string} event
 */
export function addListener(selector, event) {
  if (hasListener(selector, event)) return;
  push(listeners, { selector, event });
  if (heard[event]) return;
  heard[event] = true;
  on(document, event, hear, true);
}

/**
 * @param {string} selector
 * @param {string} event
 */
export function removeListener(selector, event) {
  const others = list();
  for (let i = 0; i < listeners.length; i += 1) {
    if (listeners[i].selector !== selector || listeners[i].event !== event) push(others, listeners[i]);
  }
  listeners = others;
}

export function forgetListeners() {
  listeners = list();
}

/** @param {Event} event */
function hear(event) {
  const { type } = event;
  const target = event.target === document ? rootOf(document) : event.target;
  if (!isElement(target)) return;
  for (let i = 0; i < listeners.length; i += 1) {
    const listener = listeners[i];
    if (listener.event !== type) continue;
    const element = event.bubbles ? closest(target, listener.selector) : matches(target, listener.selector) ? target : null;
    if (element) notifyEvent(listener, eventData(event, target, element));
  }
}

/**
 * @param {Listener} listener
 * @param {Record<string, unknown>} data
 */
function notifyEvent({ event, selector }, data) {
  try {
    notify(`${event} ${selector}`, data);
  } catch (error) {
    notify(`${event} ${selector}`, { type: event, error: messageOf(error) });
  }
}

/**
 * @param {Event} event
 * @param {Element} target
 * @param {Element} element the one that the selector names
 */
function eventData(event, target, element) {
  /** @type {Record<string, unknown>} */
  const data = { type: event.type, element: { tag: localNameOf(element), ...attributesToTell(element) } };
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement) {
    event.preventDefault();
    data.fields = fieldsOf(target, event.submitter);
  }
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
    data.value = target.value;
    if (target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio')) data.checked = target.checked;
  }
  if (event instanceof KeyboardEvent) data.key = event.key;
  return data;
}

/**
 * What tells this element from its like: `id`, `name` and the `data-` attributes.
 *
 * @param {Element} element
 */
function attributesToTell(element) {
  const all = attributesOf(element);
  const told = create(null);
  const names = keys(all);
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i];
    const isData = name[0] === 'd' && name[1] === 'a' && name[2] === 't' && name[3] === 'a' && name[4] === '-';
    if (isData || name === 'id' || name === 'name') told[name] = all[name];
  }
  return told;
}

/**
 * The fields of a form by name; several of one name become an array, a file its name.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
function fieldsOf(form, submitter) {
  const fields = create(null);
  new FormData(form, submitter).forEach((value, name) => {
    const field = typeof value === 'string' ? value : value.name;
    if (!(name in fields)) fields[name] = field;
    else if (isArray(fields[name])) push(fields[name], field);
    else fields[name] = [fields[name], field];
  });
  return fields;
}
