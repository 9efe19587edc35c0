// The port to the shell. It stays in this closure, and no script of the page runs while one of its
// events is being dispatched: `window.event` would give the port away.

import { messageData, stringify } from './pristine.js';
import { list, push } from './list.js';
import { plain } from './json.js';
import { readToSkin } from './messages.js';
/** @import { FromSkin, ToSkin } from './messages.js' */

/** @type {(text: string) => void} */
let post = () => {};

/** @param {FromSkin} message */
export function send(message) {
  post(stringify(plain(message)));
}

/**
 * @param {MessagePort} port
 * @param {(message: ToSkin) => void} receive
 * @param {(message: object) => void} receiveMedia what is no text: pictures and sound
 */
export function openPort(port, receive, receiveMedia) {
  post = port.postMessage.bind(port);
  const waiting = list();
  let first = 0;
  const turn = new MessageChannel();
  const wake = turn.port2.postMessage.bind(turn.port2, null);
  turn.port1.onmessage = () => {
    const data = waiting[first];
    delete waiting[first];
    first += 1;
    if (typeof data === 'object' && data !== null) {
      receiveMedia(data);
      return;
    }
    const message = readToSkin(data);
    if (message) receive(message);
  };
  port.onmessage = (event) => {
    push(waiting, messageData(event));
    wake();
  };
}
