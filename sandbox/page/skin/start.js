// Opens the port once the document has loaded, and passes each message on. What others do at once, they
// do in the order of these imports, before any script of the page.

import { sayHello } from '../hello.js';
import { headOf, NativePromise, on, setHtml } from './pristine.js';
import './rtc.js';
import { openPort, send } from './port.js';
import { giveKeyboard } from './hand.js';
import { messageOf } from './describe.js';
import { startCapture } from './captures.js';
import './frames.js';
import './console.js';
import { keepChanges, sortOutChanges, watchChanges } from './made.js';
import { settle } from './scripts.js';
import './navigation.js';
import { typedSoFar } from './typed.js';
import { show, withPage } from './page.js';
import { pageChanged } from './snapshot.js';
import { performDom } from './dom.js';
import { performRunJs } from './runjs.js';
import { receiveState } from './state.js';
import { receiveReply } from './wants.js';
import { receiveMedia } from './media.js';
import { receiveAnswer, receiveFile } from './answers.js';
import './flo.js';
/** @import { Perform, ToSkin } from './messages.js' */
/** @import { Outcome } from './runjs.js' */

let shown = NativePromise.resolve();

/** @param {ToSkin} message */
function receive(message) {
  switch (message.type) {
    case 'show':
      shown = show(message);
      break;
    case 'perform':
      perform(message);
      break;
    case 'state':
      receiveState(message);
      break;
    case 'answered':
      receiveAnswer(message);
      break;
    case 'reply':
      receiveReply(message);
      break;
    case 'part': {
      const { fields, typing } = typedSoFar();
      send({ type: 'typed', fields, typing });
      break;
    }
    case 'keyboard':
      giveKeyboard();
      break;
    case 'ping':
      send({ type: 'pong' });
      break;
  }
}

/** @param {object} message */
function receiveObject(message) {
  if (!receiveFile(message)) receiveMedia(message);
}

/** @param {Perform} message */
async function perform({ request, command }) {
  await shown;
  sortOutChanges();
  const capture = startCapture();
  const outcome = command.type === 'dom' ? await runDom(command.input) : await performRunJs(command.code, command.timeout_ms);
  await settle();
  keepChanges();
  capture.stop();
  if (command.type === 'run_js' || capture.lines.length > 0) outcome.result.console = capture.lines;
  send({ type: 'performed', request, done: withPage(outcome) });
}

/**
 * @param {any} input
 * @returns {Promise<Outcome>}
 */
async function runDom(input) {
  try {
    return { result: await performDom(input), isError: false };
  } catch (error) {
    return { result: { error: messageOf(error) }, isError: true };
  }
}

document.currentScript?.remove();
on(
  window,
  'load',
  () =>
    sayHello((port) => {
      setHtml(headOf(document), '');
      watchChanges(pageChanged);
      openPort(port, receive, receiveObject);
      send({ type: 'ready' });
    }),
  { once: true },
);
