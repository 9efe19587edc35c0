// What may cross the port: plain JSON in well-formed Unicode, shallow, of bounded size.

import { create, isArray, keys, NativeTypeError, parse, sort, stringify, wellFormed } from './pristine.js';
import { list } from './list.js';
import { kindOf, messageOf } from './describe.js';

export const NAME_LIMIT = 100;
export const VALUE_LIMIT = 64 * 1024;
// The hub's JSON reader stops at 128 levels.
const DEPTH_LIMIT = 100;
// Levels that a message puts around a value.
const ENVELOPE_DEPTH = 8;

/**
 * Copies JSON without prototypes, so that no accessor or `toJSON` which a page puts on one is ever
 * asked, and with sorted keys, so that equal values are equal texts.
 *
 * @param {any} value
 * @param {number} [depth]
 * @returns {any}
 */
export function plain(value, depth = 0) {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH_LIMIT) throw new NativeTypeError(`the JSON is nested deeper than ${DEPTH_LIMIT} levels`);
  const copy = isArray(value) ? list() : create(null);
  const names = isArray(value) ? keys(value) : sort(keys(value));
  for (let i = 0; i < names.length; i += 1) copy[wellFormed(names[i])] = plain(value[names[i]], depth + 1);
  return copy;
}

/**
 * Writes a value of the page's as JSON, by the page's own rules (`toJSON` included).
 *
 * @param {unknown} value
 * @param {string} what names the value in errors
 * @returns {string}
 */
export function encode(value, what) {
  let text;
  try {
    text = stringify(value);
  } catch (error) {
    throw new NativeTypeError(`${what} cannot be written as JSON: ${messageOf(error)}`);
  }
  if (text === undefined) throw new NativeTypeError(`${what} cannot be written as JSON: it is ${kindOf(value)}`);
  return stringify(checked(text, what));
}

/**
 * Reads JSON text of the page's that is to be sent, if it is small and shallow enough.
 *
 * @param {string} text
 * @param {string} what
 */
export function checked(text, what) {
  const size = byteLength(text);
  if (size > VALUE_LIMIT) throw new NativeTypeError(`${what} is ${size} bytes of JSON; ${VALUE_LIMIT} are the most`);
  return plain(parse(text), ENVELOPE_DEPTH);
}

/**
 * Counts bytes of UTF-8.
 *
 * @param {string} text
 */
export function byteLength(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text[i];
    if (unit < '\u0080') continue;
    const isTwo = unit < '\u0800' || (unit >= '\ud800' && unit <= '\udfff');
    bytes += isTwo ? 1 : 2;
  }
  return bytes;
}
