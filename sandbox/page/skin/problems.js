// What goes wrong in the page while no tool runs: told in batches, each problem once with a count.
// While a tool runs, the console of its call has it already.

import { clearTimer, isInteger, now, setTimer } from './pristine.js';
import { list, push } from './list.js';
import { send } from './port.js';
import { shorten } from './shorten.js';
import { captures } from './captures.js';
/** @import { Problem } from './messages.js' */

const QUIET_MS = 1000;
const BATCH_MS = 3000;
const PROBLEM_LIMIT = 10;
const PROBLEM_LENGTH = 500;
// Of scripts in the page itself it says nothing.
const OWN_ADDRESS = location.href;

/** @type {Problem[]} */
let problems = list();
let problemTimer = 0;
let batchBegan = 0;

/**
 * @param {Problem['kind']} kind
 * @param {string} message
 * @param {{ source?: unknown, line?: unknown }} [place]
 */
export function reportProblem(kind, message, { source, line } = {}) {
  if (captures.length > 0) return;
  /** @type {Problem} */
  const problem = { kind, message: shorten(message, PROBLEM_LENGTH), count: 1 };
  if (typeof source === 'string' && source !== '' && source !== OWN_ADDRESS) problem.source = shorten(source, PROBLEM_LENGTH);
  if (isInteger(line) && /** @type {number} */ (line) > 0) problem.line = /** @type {number} */ (line);
  if (!countAgain(problem) && problems.length < PROBLEM_LIMIT) push(problems, problem);
  if (problemTimer === 0) batchBegan = now();
  clearTimer(problemTimer);
  const rest = batchBegan + BATCH_MS - now();
  problemTimer = setTimer(sendProblems, rest < QUIET_MS ? rest : QUIET_MS);
}

/** @param {Problem} problem */
function countAgain({ kind, message, line }) {
  for (let i = 0; i < problems.length; i += 1) {
    const known = problems[i];
    if (known.kind !== kind || known.message !== message || known.line !== line) continue;
    known.count += 1;
    return true;
  }
  return false;
}

function sendProblems() {
  problemTimer = 0;
  const batch = problems;
  problems = list();
  send({ type: 'problems', problems: batch });
}
