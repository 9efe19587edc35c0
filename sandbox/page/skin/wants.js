// What the page wants of the shell, beyond its own frame. A request has one last reply, and events
// before it if it goes on for a while.

import { create, NativeException, NativePromise, parse, raiseError, setTimer, stringify } from './pristine.js';
import { send } from './port.js';
/** @import { ReplyMessage, Want } from './messages.js' */

const REQUEST_LIMIT = 64;

/** @typedef {{ event: (value: any) => void, done: (value: any) => void, failed: (error: DOMException) => void }} Hearing */

/** @type {Record<number, Hearing>} */
const requests = create(null);
let requestsWaiting = 0;
let lastRequest = 0;

/**
 * @param {Want} want
 * @param {Hearing} hearing
 * @returns {number} the request's id
 */
export function demand(want, hearing) {
  lastRequest += 1;
  if (requestsWaiting >= REQUEST_LIMIT) {
    const error = failure('NotAllowedError', `${REQUEST_LIMIT} requests of this page are waiting already`);
    setTimer(() => hearing.failed(error), 0);
    return lastRequest;
  }
  requestsWaiting += 1;
  requests[lastRequest] = hearing;
  send({ type: 'request', id: lastRequest, want });
  return lastRequest;
}

/**
 * A request that has nothing but its last reply.
 *
 * @param {Want} want
 * @returns {Promise<any>}
 */
export function promised(want) {
  return new NativePromise((done, failed) => {
    demand(want, { event() {}, done, failed });
  });
}

/**
 * Ends a request without another word to whoever made it.
 *
 * @param {number} id
 */
export function withdraw(id) {
  if (forgetRequest(id)) send({ type: 'withdraw', id });
}

/** @param {ReplyMessage} message */
export function receiveReply({ id, reply }) {
  const hearing = requests[id];
  if (!hearing) return;
  switch (reply.type) {
    case 'event':
      hearing.event(copyOf(reply.value));
      break;
    case 'done':
      forgetRequest(id);
      hearing.done(copyOf(reply.value));
      break;
    case 'failed':
      forgetRequest(id);
      hearing.failed(failure(reply.name, reply.message));
      break;
  }
}

/** @param {number} id */
function forgetRequest(id) {
  if (!requests[id]) return false;
  delete requests[id];
  requestsWaiting -= 1;
  return true;
}

/**
 * A value as the page may have it, with the prototypes that it expects.
 *
 * @param {any} value
 */
function copyOf(value) {
  return parse(stringify(value));
}

/**
 * @param {string} name
 * @param {string} message
 * @returns {DOMException}
 */
export function failure(name, message) {
  return new NativeException(message, name);
}

/**
 * Calls a function of the page's. What it throws is its own.
 *
 * @param {(value: any) => void} callback
 * @param {any} value
 */
export function tell(callback, value) {
  try {
    callback(value);
  } catch (error) {
    raiseError(error);
  }
}
