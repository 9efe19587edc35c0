// Answers that scripts of the page wait for.

import { create, hasOwn, NativeError, parse } from './pristine.js';
/** @import { Answered } from './messages.js' */

const ASK_LIMIT = 16;

/** @type {Record<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
const asks = create(null);
let asksWaiting = 0;
let lastAsk = 0;

/**
 * The id under which an answer is to come; `null` if too many are on their way.
 *
 * @param {string} what
 * @param {(answer: any) => void} resolve
 * @param {(error: Error) => void} reject
 */
export function expectAnswer(what, resolve, reject) {
  if (asksWaiting >= ASK_LIMIT) {
    reject(new NativeError(`${what}: ${ASK_LIMIT} questions are waiting for an answer already`));
    return null;
  }
  lastAsk += 1;
  asksWaiting += 1;
  asks[lastAsk] = { resolve, reject };
  return lastAsk;
}

/** @param {number} id */
function take(id) {
  const waiting = asks[id];
  if (waiting) {
    delete asks[id];
    asksWaiting -= 1;
  }
  return waiting;
}

/**
 * A file from the shell. Whether it was one.
 *
 * @param {any} message
 */
export function receiveFile(message) {
  if (!hasOwn(message, 'file')) return false;
  take(message.file)?.resolve(message.blob);
  return true;
}

/** @param {Answered} message */
export function receiveAnswer({ id, answer }) {
  const waiting = take(id);
  if (!waiting) return;
  if (answer.type === 'text') waiting.resolve(answer.text);
  else waiting.reject(new NativeError(answer.message));
}

/** @param {string} text */
export function readResult(text) {
  try {
    return parse(text);
  } catch {
    return text;
  }
}
