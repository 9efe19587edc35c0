// `flo`: how scripts of the page reach the agent and keep what must last.

import { defineProperty, freeze, keys, NativeTypeError } from './pristine.js';
import { encode } from './json.js';
import { readState, values, watchState, writeState } from './state.js';
import { files } from './files.js';
import { services } from './services.js';
import { addRule, ask, callTool, checkName, emit, notify, removeRule } from './tell.js';

const state = freeze({
  /** @param {string} key */
  get(key) {
    checkName(key, 'flo.state.get(key): key');
    return readState(key);
  },
  /**
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    checkName(key, 'flo.state.set(key, value): key');
    writeState(key, encode(value, 'flo.state.set(key, value): value'));
  },
  /** @param {string} key */
  delete(key) {
    checkName(key, 'flo.state.delete(key): key');
    writeState(key, 'null');
  },
  keys() {
    return keys(values);
  },
  all() {
    /** @type {Record<string, any>} */
    const all = {};
    const names = keys(values);
    for (let i = 0; i < names.length; i += 1) {
      defineProperty(all, names[i], { value: readState(names[i]), writable: true, enumerable: true, configurable: true });
    }
    return all;
  },
  /**
   * @param {string} key one key, all that begin alike (`todo.*`), or all (`*`)
   * @param {(value: any, key: string) => void} callback
   */
  onChange(key, callback) {
    checkName(key, 'flo.state.onChange(key, callback): key');
    if (typeof callback !== 'function') throw new NativeTypeError('flo.state.onChange(key, callback): callback must be a function');
    return watchState(key, callback);
  },
  addRule,
  removeRule,
});

defineProperty(window, 'flo', { value: freeze({ state, files, notify, ask, emit, callTool, ...services }), enumerable: true });
