// What lines of the console are made of: what the page logs, errors that nobody caught, and what
// the frame's policy blocked.

import { apply, attribute, isElement, on } from './pristine.js';
import { shorten } from './shorten.js';
import { lineOf, messageOf } from './describe.js';
import { captures, LINE_LENGTH, record } from './captures.js';
import { reportProblem } from './problems.js';
import { tagOf } from './elements.js';

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

tapConsole('debug');
tapConsole('error');
tapConsole('info');
tapConsole('log');
tapConsole('warn');

on(window, 'error', (/** @type {ErrorEvent} */ event) => {
  const { message, filename, lineno } = event;
  if (typeof message !== 'string') return;
  record('error', message);
  reportProblem('exception', message, { source: filename, line: lineno });
});
// Elements that cannot load tell only those who listen on the way down.
on(
  window,
  'error',
  (event) => {
    const { target } = event;
    if (!isElement(target)) return;
    const address = attribute(target, 'src') ?? attribute(target, 'href') ?? '';
    reportProblem('resource', `${tagOf(target)} ${shorten(address, LINE_LENGTH)}`);
  },
  true,
);
on(window, 'unhandledrejection', (/** @type {PromiseRejectionEvent} */ event) => {
  const message = messageOf(event.reason);
  record('error', `unhandled rejection: ${message}`);
  reportProblem('rejection', message);
});
on(window, 'securitypolicyviolation', (/** @type {SecurityPolicyViolationEvent} */ event) => {
  const { effectiveDirective, blockedURI } = event;
  record('error', `blocked, for the page has no network: ${effectiveDirective} ${blockedURI}`);
  reportProblem('blocked', `the page has no network: ${effectiveDirective} ${blockedURI}`);
});
