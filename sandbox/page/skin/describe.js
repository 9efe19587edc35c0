// Words for what JSON cannot say: in results of `runjs`, in console lines, in errors.

import { isElement, isFiniteNumber, NativeError, NativePromise, NativeString, stringify } from './pristine.js';
import { tagOf } from './elements.js';

/**
 * Writes any value as JSON text, with a description in place of what is not JSON.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function toJson(value) {
  if (value === undefined) return 'null';
  try {
    return stringify(value, replaceSpecial);
  } catch (error) {
    return stringify(`[${kindOf(value)} that cannot be JSON: ${messageOf(error)}]`);
  }
}

/**
 * One line of text for the console.
 *
 * @param {unknown} value
 */
function toLine(value) {
  if (typeof value === 'string') return value;
  if (value === undefined) return 'undefined';
  const special = describeSpecial(value);
  return special === undefined ? toJson(value) : special;
}

/**
 * @param {string} _key
 * @param {unknown} value
 */
function replaceSpecial(_key, value) {
  const special = describeSpecial(value);
  return special === undefined ? value : `[${special}]`;
}

/**
 * @param {unknown} value
 * @returns {string | undefined}
 */
function describeSpecial(value) {
  switch (typeof value) {
    case 'bigint':
    case 'symbol':
      return `${typeof value} ${NativeString(value)}`;
    case 'function':
      return `function ${value.name}`;
    case 'number':
      return isFiniteNumber(value) ? undefined : `number ${value}`;
    case 'object':
      return value === null ? undefined : describeObject(value);
    default:
      return undefined;
  }
}

/** @param {object} value */
function describeObject(value) {
  if (isElement(value)) return `element ${tagOf(value)}`;
  if (value === window) return 'window';
  if (value instanceof Node) return `node ${value.nodeName}`;
  if (value instanceof NativeError) return `${value.name}: ${value.message}`;
  if (value instanceof Map || value instanceof Set) return `${kindOf(value)} of ${value.size} entries`;
  if (value instanceof NativePromise) return 'promise';
  return undefined;
}

/** @param {unknown} value */
export function kindOf(value) {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const name = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'object';
}

/**
 * The message of whatever was thrown.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  try {
    return error instanceof NativeError ? `${error.message}` : toLine(error);
  } catch {
    return 'an error that cannot be read';
  }
}

/**
 * Like `toLine`, also of a value that throws when it is read.
 *
 * @param {unknown} value
 */
export function lineOf(value) {
  try {
    return toLine(value);
  } catch (error) {
    return `[${messageOf(error)}]`;
  }
}
