// How a frame gets its port: it says hello, and the shell answers with one end of a channel.
// Nothing secret is in the hello, for the frame cannot know who its parent is.

const VERSION = 3;

/**
 * Calls `take` once, with the port.
 *
 * @param {(port: MessagePort) => void} take
 */
export function sayHello(take) {
  if (window.parent === window) return;
  /** @param {MessageEvent} event */
  const listen = (event) => {
    if (event.source !== window.parent) return;
    if (event.data?.vivarium !== 'port' || event.ports.length !== 1) return;
    window.removeEventListener('message', listen);
    take(event.ports[0]);
  };
  window.addEventListener('message', listen);
  window.parent.postMessage({ vivarium: 'hello', version: VERSION }, '*');
}
