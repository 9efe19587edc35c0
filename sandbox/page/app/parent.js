// The window around the page, as the page sees it: it takes messages of the page's protocol and nothing else, and what
// the shell says comes from it.

import { checkedMessage } from './checked.js';
import { defineProperty, dispatch, freeze, parse } from '../skin/pristine.js';
import { send } from '../skin/port.js';

const NativeMessage = MessageEvent;

const host = freeze({
  /** @param {unknown} message */
  postMessage(message) {
    const checked = checkedMessage(message);
    if (checked !== null) send({ type: 'rpc', message: checked });
  },
});

/**
 * The shell says something.
 *
 * @param {string} text
 */
export function hearShell(text) {
  const event = new NativeMessage('message', { data: parse(text) });
  defineProperty(event, 'source', { value: host });
  dispatch(window, event);
}

/** From now on the page finds this one around it. */
export function takePlace() {
  defineProperty(window, 'parent', { value: host });
}
