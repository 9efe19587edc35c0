// The end of a script's worker, below the agent's code as `script`: runs it, and posts what it writes
// to the console and what comes of it. Nobody believes this file: the code above shares its world.

(() => {
  'use strict';

  const VALUE_LIMIT = 64 * 1024;

  onmessage = ({ data }) => {
    onmessage = null;
    postMessage('begun');
    for (const level of /** @type {const} */ (['debug', 'error', 'info', 'log', 'warn'])) {
      /** @param {unknown[]} values */
      console[level] = (...values) => postMessage({ line: `${level}: ${values.map(toLine).join(' ')}` });
    }
    Object.defineProperty(globalThis, 'flo', { value: Object.freeze({ state: reading(data) }), enumerable: true });
    perform();
  };

  async function perform() {
    try {
      const text = toJson(await script());
      const size = new TextEncoder().encode(text).length;
      if (size > VALUE_LIMIT) throw new TypeError(`the value is ${size} bytes of JSON; ${VALUE_LIMIT} are the most`);
      postMessage({ answer: `{"value":${text}}` });
    } catch (error) {
      const stack = error instanceof Error ? error.stack : undefined;
      postMessage({ answer: JSON.stringify({ error: toLine(error), stack }) });
    }
  }

  /** @param {Record<string, any>} values */
  function reading(values) {
    return Object.freeze({
      /** @param {string} key */
      get: (key) => (Object.hasOwn(values, key) ? structuredClone(values[key]) : undefined),
      keys: () => Object.keys(values),
      all: () => structuredClone(values),
    });
  }

  /** @param {unknown} value */
  function toLine(value) {
    if (typeof value === 'string') return value;
    if (value === undefined) return 'undefined';
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    try {
      return toJson(value);
    } catch (error) {
      return `[${error}]`;
    }
  }

  /**
   * @param {unknown} value
   * @returns {string}
   */
  function toJson(value) {
    return JSON.stringify(value, (_key, inner) => special(inner)) ?? 'null';
  }

  /** @param {any} value */
  function special(value) {
    if (typeof value === 'bigint' || typeof value === 'symbol') return `[${typeof value} ${String(value)}]`;
    if (typeof value === 'function') return `[function ${value.name}]`;
    if (typeof value === 'number' && !Number.isFinite(value)) return `[number ${value}]`;
    if (value instanceof Error) return `[${value.name}: ${value.message}]`;
    if (value instanceof Map || value instanceof Set) return `[${value.constructor.name} of ${value.size} entries]`;
    if (value instanceof Promise) return '[promise]';
    return value;
  }
})();
