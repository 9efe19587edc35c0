// What a page says, as far as it is a message of its protocol.

import { isArray, parse, stringify } from '../skin/pristine.js';

/** Characters of a message. */
const LONGEST = 512 * 1024;

/**
 * A copy without anything of the page's; `null` if it is none.
 *
 * @param {unknown} message
 */
export function checkedMessage(message) {
  if (typeof message !== 'object' || message === null || isArray(message)) return null;
  const text = stringify(message);
  if (typeof text !== 'string' || text.length > LONGEST) return null;
  const copy = parse(text);
  return copy?.jsonrpc === '2.0' ? copy : null;
}
