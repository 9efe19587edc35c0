// How a frame gets its port: it says hello, and the shell answers with one end of a channel; or it brings the other end
// along. Nothing secret is in the hello, for the frame cannot know who its parent is.

const VERSION = 3;

/**
 * Calls `take` once, with the port.
 *
 * @param {(port: MessagePort) => void} take
 */
export function sayHello(take) {
  // A page may be given another one in its place.
  const shell = window.parent;
  if (shell === window) return;
  /** @param {MessageEvent} event */
  const listen = (event) => {
    if (event.source !== shell) return;
    if (event.data?.vivarium !== 'port' || event.ports.length !== 1) return;
    event.stopImmediatePropagation();
    window.removeEventListener('message', listen);
    take(event.ports[0]);
  };
  window.addEventListener('message', listen);
  shell.postMessage({ vivarium: 'hello', version: VERSION }, '*');
}

/**
 * Says hello with one end of a channel in it, for a document whose own scripts run before an answer could come and would
 * hear it. `null`: there is nobody around it.
 *
 * @returns {MessagePort | null}
 */
export function bringPort() {
  const shell = window.parent;
  if (shell === window) return null;
  const { port1, port2 } = new MessageChannel();
  shell.postMessage({ vivarium: 'hello', version: VERSION }, '*', [port2]);
  return port1;
}
