const capture = startCapture();
let outcome = null;

return {
  load(state) {
    loadState(plain(parse(state)));
  },
  async start(code, limit) {
    outcome = await performRunJs(code, limit);
  },
  finish() {
    return stringify(plain({ outcome, console: capture.lines, changes }));
  },
};
