// The `runjs` tool: runs the body of an async function and tells what came of it.

import { clearTimer, NativeError, NativePromise, now, round, setTimer } from './pristine.js';
import { checked } from './json.js';
import { shorten } from './shorten.js';
import { lineOf, toJson } from './describe.js';

const STACK_LENGTH = 2000;
const AsyncFunction = /** @type {new (body: string) => () => Promise<unknown>} */ ((async () => {}).constructor);

/** @typedef {{ result: any, isError: boolean }} Outcome */

/**
 * @param {string} code
 * @param {number} timeoutMs
 * @returns {Promise<Outcome>}
 */
export async function performRunJs(code, timeoutMs) {
  const started = now();
  try {
    const value = await inTime(new AsyncFunction(code), timeoutMs);
    return {
      result: { value: checked(toJson(value), 'the value'), millis: round(now() - started) },
      isError: false,
    };
  } catch (error) {
    return {
      result: { error: lineOf(error), stack: stackOf(error), millis: round(now() - started) },
      isError: true,
    };
  }
}

/**
 * @param {() => Promise<unknown>} work
 * @param {number} timeoutMs
 */
function inTime(work, timeoutMs) {
  return new NativePromise((resolve, reject) => {
    const timer = setTimer(() => {
      reject(new NativeError(`it did not finish within ${timeoutMs} ms; what it started may still go on`));
    }, timeoutMs);
    const run = async () => {
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      } finally {
        clearTimer(timer);
      }
    };
    run();
  });
}

/** @param {unknown} error */
function stackOf(error) {
  try {
    return error instanceof NativeError && typeof error.stack === 'string' ? shorten(error.stack, STACK_LENGTH) : null;
  } catch {
    return null;
  }
}
