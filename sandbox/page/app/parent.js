// The window around the page, as the page sees it: it takes messages of the page's protocol and nothing else, and what
// the shell says comes from it.

import { checkedMessage } from './checked.js';
import { defineProperty, dispatch, freeze, parse } from '../skin/pristine.js';
import { list, push } from '../skin/list.js';
import { send } from '../skin/port.js';

const NativeMessage = MessageEvent;

/** What the page said before the port was there. */
let waiting = list();
let isOpen = false;

const host = freeze({
  /** @param {unknown} message */
  postMessage(message) {
    const checked = checkedMessage(message);
    if (checked === null) return;
    if (isOpen) send({ type: 'rpc', message: checked });
    else push(waiting, checked);
  },
});

/**
 * The shell says something, for the first time once it hears.
 *
 * @param {string} text
 */
export function hearShell(text) {
  const event = new NativeMessage('message', { data: parse(text) });
  defineProperty(event, 'source', { value: host });
  dispatch(window, event);
}

/** The port is there. */
export function openHost() {
  isOpen = true;
  for (let i = 0; i < waiting.length; i += 1) send({ type: 'rpc', message: waiting[i] });
  waiting = list();
}

/** From now on the page finds this one around it. */
export function takePlace() {
  defineProperty(window, 'parent', { value: host });
}
