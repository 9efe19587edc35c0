// All that the loop frame's document does: it makes the worker and hands the port over to it.
// From then on worker and shell speak directly. Or it runs scripts, and no loop.

import { sayHello } from './hello.js';
import { serveScripts } from './scripts/run.js';

sayHello((port) => {
  port.onmessage = ({ data }) => {
    port.onmessage = null;
    if (data?.type === 'scripts') {
      serveScripts(port);
      return;
    }
    if (data?.type !== 'boot' || typeof data.glue !== 'string' || !(data.wasm instanceof ArrayBuffer)) {
      report(port, 'The first message to the loop frame was not a boot message.');
      return;
    }
    startWorker(port, data.glue, data.wasm);
  };
});

/**
 * @param {MessagePort} port
 * @param {string} glue
 * @param {ArrayBuffer} wasm
 */
function startWorker(port, glue, wasm) {
  const url = URL.createObjectURL(new Blob([glue], { type: 'text/javascript' }));
  const worker = new Worker(url);
  // The port goes over only once the script runs: a port that is sent to a worker which never
  // starts could not carry the news.
  worker.onmessage = () => {
    worker.onmessage = null;
    URL.revokeObjectURL(url);
    worker.postMessage({ wasm, port }, [wasm, port]);
  };
  worker.onerror = (event) => report(port, event.message || 'The worker did not start.');
}

/**
 * @param {MessagePort} port
 * @param {string} message
 */
function report(port, message) {
  port.postMessage(JSON.stringify({ type: 'broken', message }));
}
