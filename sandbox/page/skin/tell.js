// @ts-check
// What else scripts of the page tell and ask: `flo.emit`, `flo.callTool`, and the rules of
// `flo.state`, which are calls of the `state` tool.

/**
 * Tells the agent something without waking it.
 *
 * @param {string} name
 * @param {unknown} [data]
 */
function emit(name, data = null) {
  checkName(name, 'flo.emit(name, data): name');
  send({ type: 'emit', name, data: parse(encode(data, 'flo.emit(name, data): data')) });
}

/**
 * @param {string} name
 * @param {unknown} [input]
 * @returns {Promise<any>}
 */
function callTool(name, input = {}) {
  checkName(name, 'flo.callTool(name, input): name');
  const checkedInput = parse(encode(input, 'flo.callTool(name, input): input'));
  return new NativePromise((resolve, reject) => {
    const id = expectAnswer('flo.callTool', (text) => resolve(readResult(text)), reject);
    if (id !== null) send({ type: 'call_tool', id, name, input: checkedInput });
  });
}

/** @param {string} text */
function readResult(text) {
  try {
    return parse(text);
  } catch {
    return text;
  }
}

/** @param {{ key: string, when: string, message: string }} rule */
function addRule({ key, when, message }) {
  checkName(key, 'flo.state.addRule({ key, when, message }): key');
  return callTool('state', { action: 'escalate', key, when, message });
}

/** @param {string} key */
function removeRule(key) {
  checkName(key, 'flo.state.removeRule(key): key');
  return callTool('state', { action: 'clear_rule', key });
}
