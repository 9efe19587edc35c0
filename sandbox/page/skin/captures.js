// What a tool is told of the console: the lines while it runs.

import { list, push } from './list.js';
import { shorten } from './shorten.js';

const LINE_LIMIT = 100;
export const LINE_LENGTH = 500;

/** @type {{ lines: string[], left: number }[]} */
export let captures = list();

/** Collects lines until `stop`. */
export function startCapture() {
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
export function record(level, text) {
  for (let i = 0; i < captures.length; i += 1) {
    const capture = captures[i];
    capture.left -= 1;
    if (capture.left >= 0) push(capture.lines, shorten(`${level}: ${text}`, LINE_LENGTH));
    if (capture.left === -1) push(capture.lines, `… more than ${LINE_LIMIT} lines`);
  }
}
