// The page's copy of `flo.state`. The page reads and writes it at once; the hub's copy decides.

import { clearTimer, create, keys, parse, raiseError, setTimer, stringify } from './pristine.js';
import { list, push } from './list.js';
import { send } from './port.js';
import { noteStateUse } from './made.js';
/** @import { State } from './messages.js' */

// While the page writes a key, answers to earlier writes are still on their way. They wait until
// the page has left the key alone for so long, or a counter would fall back as one counts.
const SETTLE_MS = 1000;

/** Values as JSON text: nobody can change one in place. @type {Record<string, string>} */
export const values = create(null);
/** @type {Record<string, { timer: number, text: string | null }>} */
const unsettled = create(null);
/** @type {{ key: string, tell: (value: any, key: string) => void }[]} */
let watchers = list();

/** Takes over a whole state, and forgets who watched the one before. @param {Record<string, any>} state */
export function loadState(state) {
  const old = keys(values);
  for (let i = 0; i < old.length; i += 1) delete values[old[i]];
  watchers = list();
  const names = keys(state);
  for (let i = 0; i < names.length; i += 1) values[names[i]] = stringify(state[names[i]]);
}

/** @param {string} key */
export function readState(key) {
  noteStateUse();
  const text = values[key];
  return text === undefined ? undefined : parse(text);
}

/**
 * The page's own write. `null` removes the key.
 *
 * @param {string} key
 * @param {string} text
 */
export function writeState(key, text) {
  noteStateUse();
  if (!changeState(key, text)) return;
  const held = unsettled[key];
  if (held) clearTimer(held.timer);
  unsettled[key] = { timer: setTimer(() => settleState(key), SETTLE_MS), text: null };
  send({ type: 'set_state', key, value: parse(text) });
  tellWatchers(key);
}

/** @param {State} message of the hub's, this page's own writes included */
export function receiveState({ key, value }) {
  const text = stringify(value);
  const held = unsettled[key];
  if (held) held.text = text;
  else if (changeState(key, text)) tellWatchers(key);
}

/** @param {string} key */
function settleState(key) {
  const { text } = unsettled[key];
  delete unsettled[key];
  if (text !== null && changeState(key, text)) tellWatchers(key);
}

/**
 * @param {string} key
 * @param {string} text
 * @returns {boolean} whether that is another value than before
 */
function changeState(key, text) {
  if ((values[key] ?? 'null') === text) return false;
  if (text === 'null') delete values[key];
  else values[key] = text;
  return true;
}

/**
 * @param {string} key as `covers` takes it
 * @param {(value: any, key: string) => void} tell
 * @returns {() => void}
 */
export function watchState(key, tell) {
  noteStateUse();
  const watcher = { key, tell };
  push(watchers, watcher);
  return () => {
    const others = list();
    for (let i = 0; i < watchers.length; i += 1) {
      if (watchers[i] !== watcher) push(others, watchers[i]);
    }
    watchers = others;
  };
}

/**
 * @param {string} pattern
 * @param {string} key
 */
function covers(pattern, key) {
  if (pattern === key || pattern === '*') return true;
  const stem = pattern.length - 1;
  if (stem < 1 || pattern[stem] !== '*' || pattern[stem - 1] !== '.') return false;
  for (let i = 0; i < stem; i += 1) {
    if (pattern[i] !== key[i]) return false;
  }
  return true;
}

/** @param {string} key */
function tellWatchers(key) {
  const told = watchers;
  for (let i = 0; i < told.length; i += 1) {
    if (!covers(told[i].key, key)) continue;
    try {
      told[i].tell(readState(key), key);
    } catch (error) {
      raiseError(error);
    }
  }
}
