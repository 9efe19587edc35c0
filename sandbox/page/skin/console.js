// @ts-check
// The console while a tool runs: what the page logs, errors that nobody caught, and what the
// frame's policy blocked.

const LINE_LIMIT = 100;
const LINE_LENGTH = 500;

/** @type {{ lines: string[], left: number }[]} */
let captures = list();

/** Collects lines until `stop`. */
function startCapture() {
  const capture = { lines: list(), left: LINE_LIMIT };
  push(captures, capture);
  return {
    lines: capture.lines,
    stop() {
      const others = list();
      for (let i = 0; i < captures.length; i += 1) {
        if (captures[i] !== capture) push(others, captures[i]);
      }
      captures = others;
    },
  };
}

/**
 * @param {string} level
 * @param {string} text
 */
function record(level, text) {
  for (let i = 0; i < captures.length; i += 1) {
    const capture = captures[i];
    capture.left -= 1;
    if (capture.left >= 0) push(capture.lines, shorten(`${level}: ${text}`, LINE_LENGTH));
    if (capture.left === -1) push(capture.lines, `… more than ${LINE_LIMIT} lines`);
  }
}

/** @param {'debug' | 'error' | 'info' | 'log' | 'warn'} level */
function tapConsole(level) {
  const original = console[level];
  /** @param {unknown[]} values */
  console[level] = (...values) => {
    if (captures.length > 0 || level === 'error') {
      let text = '';
      for (let i = 0; i < values.length; i += 1) text += (i > 0 ? ' ' : '') + lineOf(values[i]);
      record(level, text);
      if (level === 'error') reportProblem('logged', text);
    }
    apply(original, console, values);
  };
}

/** @param {unknown} value */
function lineOf(value) {
  try {
    return toLine(value);
  } catch (error) {
    return `[${messageOf(error)}]`;
  }
}

/**
 * @param {string} text
 * @param {number} length
 */
function shorten(text, length) {
  if (text.length <= length) return text;
  let short = '';
  for (let i = 0; i < length - 1; i += 1) short += text[i];
  return `${short}…`;
}

tapConsole('debug');
tapConsole('error');
tapConsole('info');
tapConsole('log');
tapConsole('warn');

on(window, 'error', (/** @type {any} */ event) => {
  const { message, filename, lineno } = event;
  if (typeof message !== 'string') return;
  record('error', message);
  reportProblem('exception', message, { source: filename, line: lineno });
});
// Elements that cannot load tell only those who listen on the way down.
on(
  window,
  'error',
  (/** @type {any} */ event) => {
    const { target } = event;
    if (!isElement(target)) return;
    const address = attribute(target, 'src') ?? attribute(target, 'href') ?? '';
    reportProblem('resource', `${tagOf(target)} ${shorten(address, LINE_LENGTH)}`);
  },
  true,
);
on(window, 'unhandledrejection', (/** @type {any} */ event) => {
  const message = messageOf(event.reason);
  record('error', `unhandled rejection: ${message}`);
  reportProblem('rejection', message);
});
on(window, 'securitypolicyviolation', (/** @type {any} */ event) => {
  const { effectiveDirective, blockedURI } = event;
  record('error', `blocked, for the page has no network: ${effectiveDirective} ${blockedURI}`);
  reportProblem('blocked', `the page has no network: ${effectiveDirective} ${blockedURI}`);
});
