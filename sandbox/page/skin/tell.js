// What scripts of the page tell and ask: `flo.notify`, `flo.ask`, `flo.emit`, `flo.callTool`, and the
// rules of `flo.state`, which are calls of the `state` tool.

import { NativePromise, NativeTypeError, parse } from './pristine.js';
import { encode, NAME_LIMIT } from './json.js';
import { send } from './port.js';
import { expectAnswer, readResult } from './answers.js';

const ASK_LENGTH = 20_000;

/**
 * @param {string} name
 * @param {unknown} [data]
 */
export function notify(name, data = null) {
  checkName(name, 'flo.notify(name, data): name');
  send({ type: 'notify', name, data: parse(encode(data, 'flo.notify(name, data): data')) });
}

/**
 * With `data`, as pages of flo.monster ask, the answer is read as JSON where it is JSON.
 *
 * @param {string} text
 * @param {unknown} [data]
 * @returns {Promise<any>}
 */
export function ask(text, data) {
  if (typeof text !== 'string' || text === '') throw new NativeTypeError('flo.ask(text): text must be a string that is not empty');
  const hasData = data !== undefined;
  const asked = hasData ? `${text} ${encode(data, 'flo.ask(text, data): data')}` : text;
  if (asked.length > ASK_LENGTH) {
    throw new NativeTypeError(`flo.ask(text): text has ${asked.length} characters; ${ASK_LENGTH} are the most`);
  }
  return new NativePromise((resolve, reject) => {
    /** @param {string} answer */
    const settle = (answer) => resolve(hasData ? readResult(answer) : answer);
    const id = expectAnswer('flo.ask', settle, reject);
    if (id !== null) send({ type: 'ask', id, text: asked });
  });
}

/**
 * Tells the agent something without waking it.
 *
 * @param {string} name
 * @param {unknown} [data]
 */
export function emit(name, data = null) {
  checkName(name, 'flo.emit(name, data): name');
  send({ type: 'emit', name, data: parse(encode(data, 'flo.emit(name, data): data')) });
}

/**
 * @param {string} name
 * @param {unknown} [input]
 * @returns {Promise<any>}
 */
export function callTool(name, input = {}) {
  checkName(name, 'flo.callTool(name, input): name');
  const checkedInput = parse(encode(input, 'flo.callTool(name, input): input'));
  return new NativePromise((resolve, reject) => {
    const id = expectAnswer('flo.callTool', (text) => resolve(readResult(text)), reject);
    if (id !== null) send({ type: 'call_tool', id, name, input: checkedInput });
  });
}

/** @param {{ key: string, when: string, message: string }} rule */
export function addRule({ key, when, message }) {
  checkName(key, 'flo.state.addRule({ key, when, message }): key');
  return callTool('state', { action: 'escalate', key, when, message });
}

/** @param {string} key */
export function removeRule(key) {
  checkName(key, 'flo.state.removeRule(key): key');
  return callTool('state', { action: 'clear_rule', key });
}

/**
 * @param {unknown} name
 * @param {string} what
 */
export function checkName(name, what) {
  if (typeof name !== 'string' || name === '') throw new NativeTypeError(`${what} must be a string that is not empty`);
  if (name.length > NAME_LIMIT) throw new NativeTypeError(`${what} has ${name.length} characters; ${NAME_LIMIT} are the most`);
}
