// The person's hand in the page. Keys are the page's only where the person pressed something in it, or
// the shell says so: a page can take the focus at any time. The shell is told of each press, because it
// cannot see one. With Alt a press saves what a link or a form leads to, past every policy, and the page
// could have its own press follow: so it hears of none.

import {
  dispatch,
  hasAltOfKey,
  hasAltOfPress,
  hasControlOfKey,
  hasFocus,
  hasMetaOfKey,
  keyOfEvent,
  NativeEvent,
  now,
  observe,
  Observer,
  on,
  preventEvent,
  random,
  round,
  stopEvent,
  timeOfEvent,
} from './pristine.js';
import { send } from './port.js';

const PRESSES = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
  'gotpointercapture',
  'lostpointercapture',
  'dragstart',
];

/** @param {MouseEvent} event */
function takePress(event) {
  if (!event.isTrusted) return;
  if (hasAltOfPress(event)) {
    stopEvent(event);
    preventEvent(event);
  }
}

let hasKeyboard = false;

export function giveKeyboard() {
  hasKeyboard = hasFocus(document);
}

/** @param {Event} event */
function tellPress(event) {
  if (!event.isTrusted) return;
  hasKeyboard = true;
  const ago = round(now() - timeOfEvent(event));
  send({ type: 'pressed', ago_ms: ago > 0 ? ago : 0 });
}

/** @param {KeyboardEvent} event */
function takeKey(event) {
  if (!event.isTrusted) return;
  const key = keyOfEvent(event);
  const saves = hasAltOfKey(event) && (key === 'Enter' || key === ' ');
  if (hasKeyboard && !saves) return;
  stopEvent(event);
  preventEvent(event);
}

/** @param {KeyboardEvent} event */
function sendBack(event) {
  if (!event.isTrusted || hasKeyboard || hasControlOfKey(event) || hasMetaOfKey(event)) return;
  send({ type: 'stray', key: keyOfEvent(event) });
}

on(window, 'focus', (event) => event.isTrusted && !hasKeyboard && send({ type: 'focused' }), true);
on(window, 'blur', () => (hasKeyboard &&= hasFocus(document)), true);
on(window, 'keydown', sendBack, { capture: true, passive: true });
on(window, 'pointerdown', tellPress, { capture: true, passive: true });
for (let i = 0; i < PRESSES.length; i += 1) on(window, PRESSES[i], takePress, { capture: true, passive: false });
for (const type of ['keydown', 'keypress', 'keyup']) on(window, type, takeKey, { capture: true, passive: false });

// `document.open()` takes the listeners of a document and its window away, ours too. Nothing here
// would hear a press any more, so the shell makes the frame anew.

const PROBE = `probe-${random()}`;
let isHeard = false;

on(window, PROBE, () => (isHeard = true), true);
observe(
  new Observer(() => {
    isHeard = false;
    dispatch(window, new NativeEvent(PROBE));
    if (!isHeard) send({ type: 'erased' });
  }),
  document,
  { childList: true },
);
