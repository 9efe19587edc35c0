// Arrays of ours, which a page's patches do not reach.

import { setPrototypeOf } from './pristine.js';

/**
 * An array that no patched `Array.prototype` takes part in: use it by index and with `push`.
 *
 * @template T
 * @returns {T[]}
 */
export function list() {
  return setPrototypeOf([], null);
}

/**
 * @template T
 * @param {T[]} items
 * @param {T} item
 */
export function push(items, item) {
  items[items.length] = item;
}
