// How a frame gets its port: it says hello, and the shell answers with one end of a channel.
// Nothing secret is in the hello, for the frame cannot know who its parent is.

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
