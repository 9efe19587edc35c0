// `flo.geolocation`: where the person is, in the shape that the web knows, and as a promise.

import { create, defineProperty, freeze, isInteger, nameOfException, NativePromise, NativeTypeError, setPrototypeOf } from './pristine.js';
import { demand, failure, tell, withdraw } from './wants.js';
import { optionalCallback, optionalInteger, optionsOfPage } from './options.js';
/** @import { Want } from './messages.js' */

const LONGEST_MS = 10 * 60 * 1000;
/** @type {Record<string, number>} */
const POSITION_CODES = setPrototypeOf({ NotAllowedError: 1, NotFoundError: 2, TimeoutError: 3 }, null);

/** @type {Record<number, true>} */
const watches = create(null);

export const geolocation = freeze({
  /**
   * `(options)` gives a promise, `(success, error, options)` calls back.
   *
   * @param {any} [success]
   * @param {any} [error]
   * @param {any} [options]
   * @returns {Promise<any> | undefined}
   */
  getCurrentPosition(success, error, options) {
    const what = 'flo.geolocation.getCurrentPosition';
    if (typeof success !== 'function') {
      const want = { type: 'position', options: positionOptions(success, what) };
      return new NativePromise((done, reject) => {
        demand(/** @type {Want} */ (want), { event() {}, done, failed: (error) => reject(withCode(error)) });
      });
    }
    const failed = optionalCallback(error, `${what}(success, error, options): error`);
    demand(
      { type: 'position', options: positionOptions(options, what) },
      { event() {}, done: (value) => tell(success, value), failed: (error) => failed && tell(failed, withCode(error)) },
    );
    return undefined;
  },
  /**
   * @param {any} success
   * @param {any} [error]
   * @param {any} [options]
   * @returns {number} for `clearWatch`
   */
  watchPosition(success, error, options) {
    const what = 'flo.geolocation.watchPosition(success, error, options)';
    const hear = optionalCallback(success, `${what}: success`);
    if (!hear) throw new NativeTypeError(`${what}: success must be a function`);
    const failed = optionalCallback(error, `${what}: error`);
    /** @param {DOMException} error */
    const fail = (error) => {
      if (failed) tell(failed, withCode(error));
    };
    const id = demand(
      { type: 'watch_position', options: positionOptions(options, what) },
      {
        event: (value) => (value.failed ? fail(failure(value.failed, value.message)) : tell(hear, value)),
        done() {},
        failed: fail,
      },
    );
    watches[id] = true;
    return id;
  },
  /** @param {number} id */
  clearWatch(id) {
    if (!isInteger(id) || !watches[id]) return;
    delete watches[id];
    withdraw(id);
  },
});

/**
 * @param {any} given
 * @param {string} what
 */
function positionOptions(given, what) {
  const { enableHighAccuracy, timeout, maximumAge } = optionsOfPage(given, what);
  return {
    high_accuracy: enableHighAccuracy === true,
    timeout_ms: optionalInteger(timeout === Infinity ? undefined : timeout, 0, LONGEST_MS, `${what}: timeout`),
    maximum_age_ms: optionalInteger(maximumAge === Infinity ? LONGEST_MS : maximumAge, 0, LONGEST_MS, `${what}: maximumAge`),
  };
}

/**
 * The error with the number that `GeolocationPositionError` has.
 *
 * @param {DOMException} error
 */
function withCode(error) {
  return defineProperty(error, 'code', { value: POSITION_CODES[nameOfException(error)] ?? 2 });
}
