// What the frame has no origin for, as far as a page can do with something that is gone with it.

import { create, defineProperty, hasOwn, keys, NativeString } from '../skin/pristine.js';

/** @returns {Storage} */
function memory() {
  /** @type {Record<string, string>} */
  let values = create(null);
  const storage = {
    get length() {
      return keys(values).length;
    },
    /** @param {number} index */
    key: (index) => keys(values)[index] ?? null,
    /** @param {string} name */
    getItem: (name) => (hasOwn(values, name) ? values[name] : null),
    /**
     * @param {string} name
     * @param {string} value
     */
    setItem: (name, value) => {
      values[NativeString(name)] = NativeString(value);
    },
    /** @param {string} name */
    removeItem: (name) => {
      delete values[name];
    },
    clear: () => {
      values = create(null);
    },
  };
  return storage;
}

for (const name of ['localStorage', 'sessionStorage']) defineProperty(window, name, { value: memory() });
defineProperty(document, 'cookie', { get: () => '', set() {} });
