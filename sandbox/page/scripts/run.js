// The loop frame without a loop: it runs scripts of the agent, each in a worker of its own, made from
// the code's text. The document ends every worker, for a script that never ends cannot.

const LINES = 100;
const LINE_LENGTH = 500;
const ANSWER_LENGTH = 256 * 1024;
const DEPTH = 100;

/**
 * @typedef {{ type: 'run', request: number, code: string, timeout_ms: number, state: Record<string, any> }} RunScript
 * @typedef {{ value: any } | { error: string, stack?: string }} Outcome
 */

/** @param {MessagePort} port */
export function serveScripts(port) {
  port.onmessage = ({ data }) => {
    const script = readScript(data);
    if (!script) return;
    runScript(script, (outcome, lines, millis) => {
      const result = { ...outcome, console: lines, millis };
      port.postMessage(JSON.stringify({ type: 'ran', request: script.request, result, is_error: 'error' in outcome }));
    });
  };
  port.postMessage(JSON.stringify({ type: 'ready' }));
}

/**
 * @param {unknown} text
 * @returns {RunScript | null}
 */
function readScript(text) {
  if (typeof text !== 'string') return null;
  const message = JSON.parse(text);
  const isRun =
    message?.type === 'run' &&
    Number.isInteger(message.request) &&
    typeof message.code === 'string' &&
    Number.isInteger(message.timeout_ms) &&
    typeof message.state === 'object';
  return isRun ? message : null;
}

/**
 * @param {RunScript} script
 * @param {(outcome: Outcome, lines: string[], millis: number) => void} done
 */
function runScript({ code, timeout_ms, state }, done) {
  const started = performance.now();
  // The code comes first, so that its lines keep their numbers but for the one before them.
  const parts = ['const script = async () => {\n', code, '\n};\n', WORKER];
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/javascript' }));
  const worker = new Worker(url);
  /** @type {string[]} */
  const lines = [];
  /** @param {Outcome} outcome */
  const end = (outcome) => {
    clearTimeout(timer);
    worker.onmessage = null;
    worker.onerror = null;
    worker.terminate();
    URL.revokeObjectURL(url);
    done(outcome, lines, Math.round(performance.now() - started));
  };
  const timer = setTimeout(() => end({ error: `it did not finish within ${timeout_ms} ms and was ended` }), timeout_ms);
  let hasBegun = false;
  worker.onerror = (event) => {
    event.preventDefault();
    // Before that it is the code itself that cannot be read.
    if (hasBegun) keepLine(lines, `error: ${event.message}`);
    else end({ error: clip(event.message || 'the worker did not start') });
  };
  worker.onmessage = ({ data }) => {
    if (data === 'begun') hasBegun = true;
    else if (typeof data?.line === 'string') keepLine(lines, data.line);
    else if (typeof data?.answer === 'string') end(readAnswer(data.answer));
  };
  worker.postMessage(state);
}

/**
 * What the worker says came of it. The code may have said this itself: whatever it is, it is small,
 * shallow JSON afterwards.
 *
 * @param {string} text
 * @returns {Outcome}
 */
function readAnswer(text) {
  if (text.length > ANSWER_LENGTH) return { error: 'the answer is too long' };
  try {
    const { value = null, error, stack } = JSON.parse(text);
    if (error !== undefined) return { error: clip(String(error)), ...(stack && { stack: String(stack).slice(0, 2000) }) };
    return isDeeper(value, DEPTH) ? { error: `the value is nested deeper than ${DEPTH} levels` } : { value };
  } catch {
    return { error: 'the answer is no JSON' };
  }
}

/**
 * @param {any} value
 * @param {number} levels
 * @returns {boolean}
 */
function isDeeper(value, levels) {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/**
 * @param {string[]} lines
 * @param {string} line
 */
function keepLine(lines, line) {
  if (lines.length < LINES) lines.push(clip(line));
  else if (lines.length === LINES) lines.push(`… more than ${LINES} lines`);
}

/** @param {string} text */
function clip(text) {
  return text.length <= LINE_LENGTH ? text : `${text.slice(0, LINE_LENGTH - 1)}…`;
}
