// @ts-check
// `flo`: how scripts of the page reach the agent and keep what must last.

const ASK_LIMIT = 16;
const ASK_LENGTH = 20_000;

/** @type {Record<number, { resolve: (text: string) => void, reject: (error: Error) => void }>} */
const asks = create(null);
let asksWaiting = 0;
let lastAsk = 0;

/**
 * @param {string} name
 * @param {unknown} [data]
 */
function notify(name, data = null) {
  checkName(name, 'flo.notify(name, data): name');
  send({ type: 'notify', name, data: parse(encode(data, 'flo.notify(name, data): data')) });
}

/**
 * @param {string} text
 * @returns {Promise<string>}
 */
function ask(text) {
  if (typeof text !== 'string' || text === '') throw new NativeTypeError('flo.ask(text): text must be a string that is not empty');
  if (text.length > ASK_LENGTH) {
    throw new NativeTypeError(`flo.ask(text): text has ${text.length} characters; ${ASK_LENGTH} are the most`);
  }
  return new NativePromise((resolve, reject) => {
    const id = expectAnswer('flo.ask', resolve, reject);
    if (id !== null) send({ type: 'ask', id, text });
  });
}

/**
 * The id under which an answer is to come; `null` if too many are on their way.
 *
 * @param {string} what
 * @param {(text: string) => void} resolve
 * @param {(error: Error) => void} reject
 */
function expectAnswer(what, resolve, reject) {
  if (asksWaiting >= ASK_LIMIT) {
    reject(new NativeError(`${what}: ${ASK_LIMIT} questions are waiting for an answer already`));
    return null;
  }
  lastAsk += 1;
  asksWaiting += 1;
  asks[lastAsk] = { resolve, reject };
  return lastAsk;
}

/** @param {Answered} message */
function receiveAnswer({ id, answer }) {
  const waiting = asks[id];
  if (!waiting) return;
  delete asks[id];
  asksWaiting -= 1;
  if (answer.type === 'text') waiting.resolve(answer.text);
  else waiting.reject(new NativeError(answer.message));
}

/**
 * @param {unknown} name
 * @param {string} what
 */
function checkName(name, what) {
  if (typeof name !== 'string' || name === '') throw new NativeTypeError(`${what} must be a string that is not empty`);
  if (name.length > NAME_LIMIT) throw new NativeTypeError(`${what} has ${name.length} characters; ${NAME_LIMIT} are the most`);
}

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

defineProperty(window, 'flo', { value: freeze({ state, notify, ask, emit, callTool, ...services }), enumerable: true });
