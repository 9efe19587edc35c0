// Arguments that the page gives, checked before they go to the shell.

import { NativeTypeError, round } from './pristine.js';

/**
 * @param {unknown} text
 * @param {number} limit
 * @param {string} what
 * @returns {string}
 */
export function textOfPage(text, limit, what) {
  if (typeof text !== 'string' || text === '') throw new NativeTypeError(`${what} must be a string that is not empty`);
  if (text.length > limit) throw new NativeTypeError(`${what} has ${text.length} characters; ${limit} are the most`);
  return text;
}

/**
 * @param {any} options
 * @param {string} what
 */
export function optionsOfPage(options, what) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object') throw new NativeTypeError(`${what} must be an object`);
  return options;
}

/**
 * @param {any} text
 * @param {number} limit
 * @param {string} what
 * @returns {string | undefined}
 */
export function optionalText(text, limit, what) {
  return text === undefined || text === null ? undefined : textOfPage(text, limit, what);
}

/**
 * @param {any} number
 * @param {number} least
 * @param {number} most
 * @param {string} what
 * @returns {number | undefined}
 */
export function optionalNumber(number, least, most, what) {
  if (number === undefined || number === null) return undefined;
  if (typeof number !== 'number' || !(number >= least && number <= most)) {
    throw new NativeTypeError(`${what} must be a number from ${least} to ${most}`);
  }
  return number;
}

/**
 * @param {any} number
 * @param {number} least
 * @param {number} most
 * @param {string} what
 */
export function optionalInteger(number, least, most, what) {
  const checked = optionalNumber(number, least, most, what);
  return checked === undefined ? undefined : round(checked);
}

/**
 * @param {any} callback
 * @param {string} what
 * @returns {((value: any) => void) | undefined}
 */
export function optionalCallback(callback, what) {
  if (callback === undefined || callback === null) return undefined;
  if (typeof callback !== 'function') throw new NativeTypeError(`${what} must be a function`);
  return callback;
}
