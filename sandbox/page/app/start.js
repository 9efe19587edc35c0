// Runs first in the page of a tool of an MCP server, which was written for another host: it finds the window around
// it as it expects one, and reaches the shell by the port alone.

import { bringPort } from '../hello.js';
import '../skin/rtc.js';
import { openPort, send } from '../skin/port.js';
import { giveKeyboard } from '../skin/hand.js';
import '../skin/frames.js';
import './writing.js';
import { hearShell, takePlace } from './parent.js';
import './storage.js';
import './links.js';
/** @import { ToSkin } from '../skin/messages.js' */

/** @param {ToSkin} message */
function receive(message) {
  switch (message.type) {
    case 'rpc':
      hearShell(message.text);
      break;
    case 'keyboard':
      giveKeyboard();
      break;
    case 'ping':
      send({ type: 'pong' });
      break;
  }
}

document.currentScript?.remove();
// All of it before any script of the page: none of them is there to hear of the port.
const port = bringPort();
if (port) {
  openPort(port, receive, () => {});
  send({ type: 'ready' });
}
takePlace();
