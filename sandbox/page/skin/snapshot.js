// What the page makes of itself while a person uses it is sent to be kept: once it has been quiet,
// and from time to time where it never is. A page that nobody touches costs nothing.

import { clearTimer, now, setTimer, stringify } from './pristine.js';
import { byteLength, plain } from './json.js';
import { send } from './port.js';
import { captures } from './captures.js';
import { isTouched, lastTouch } from './made.js';
import { keepAsLast, lastPage, PAGE_LIMIT, takeDown } from './page.js';

const SNAPSHOT_QUIET_MS = 2000;
const SNAPSHOT_MOST_MS = 15_000;
/** What happens so long after a touch still counts as the person's doing. */
const TOUCH_LASTS_MS = 60_000;

let snapshotTimer = 0;
let changedSince = 0;

export function pageChanged() {
  if (!isTouched || now() - lastTouch > TOUCH_LASTS_MS) return;
  if (snapshotTimer === 0) changedSince = now();
  clearTimer(snapshotTimer);
  const rest = changedSince + SNAPSHOT_MOST_MS - now();
  snapshotTimer = setTimer(takeSnapshot, rest < SNAPSHOT_QUIET_MS ? rest : SNAPSHOT_QUIET_MS);
}

function takeSnapshot() {
  snapshotTimer = 0;
  // A tool that is at work sends the page with its result.
  if (captures.length > 0) return;
  const page = takeDown();
  const text = stringify(plain(page));
  if (byteLength(text) > PAGE_LIMIT || text === stringify(plain(lastPage))) return;
  keepAsLast(page);
  send({ type: 'snapshot', page });
}
