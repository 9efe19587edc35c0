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
    if (captures.length > 0) {
      let text = '';
      for (let i = 0; i < values.length; i += 1) text += (i > 0 ? ' ' : '') + lineOf(values[i]);
      record(level, text);
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
  if (typeof event.message === 'string') record('error', event.message);
});
on(window, 'unhandledrejection', (/** @type {any} */ event) => {
  record('error', `unhandled rejection: ${messageOf(event.reason)}`);
});
on(window, 'securitypolicyviolation', (/** @type {any} */ event) => {
  record('error', `blocked, for the page has no network: ${event.effectiveDirective} ${event.blockedURI}`);
});
