// Runs in the harness page: puts frames into it, and is to them what the shell is. A frame counts as
// having run only when its own script says so over its port.

export interface FrameOrder {
  number: number;
  frame: 'skin' | 'loop';
  address: string;
  sandbox: string | null;
  /** What a skin frame shows, and the body of a function that it performs then. */
  head: string;
  body: string;
  code: string | null;
  /** What a loop frame takes for the worker's script. */
  glue: string;
  removed: boolean;
}

/** Opens all frames at once and waits until all ran, or had long enough; tells `window.ran` who did. */
export async function openFrames(orders: FrameOrder[]): Promise<void> {
  const { ran } = window as unknown as { ran: (number: number) => void };
  const open = (order: FrameOrder) =>
    new Promise<void>((resolve) => {
      // A hundred are opened at once, and a machine may be slow.
      const timer = setTimeout(resolve, 60_000);
      const element = document.createElement('iframe');
      let isStarted = false;

      const hear = (port: MessagePort, data: string) => {
        const message = JSON.parse(data);
        if (order.frame === 'skin' && message.type === 'ready') {
          const page = { head: order.head, body: order.body, html_attributes: {}, body_attributes: {}, listeners: [] };
          port.postMessage(JSON.stringify({ type: 'show', version: 1, page, state: {}, typed: [] }));
          if (order.code === null) return;
          const command = { type: 'run_js', code: order.code, timeout_ms: 5000 };
          port.postMessage(JSON.stringify({ type: 'perform', request: 1, command }));
        }
        if (message.type !== 'notify' || message.name !== 'ran') return;
        clearTimeout(timer);
        ran(order.number);
        if (order.removed) element.remove();
        resolve();
      };

      addEventListener('message', ({ source, data }) => {
        if (source !== element.contentWindow || data?.vivarium !== 'hello' || isStarted) return;
        isStarted = true;
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = (event) => hear(port1, event.data);
        element.contentWindow!.postMessage({ vivarium: 'port' }, '*', [port2]);
        if (order.frame === 'loop') {
          const wasm = new ArrayBuffer(8);
          port1.postMessage({ type: 'boot', glue: order.glue, wasm }, [wasm]);
        }
      });

      if (order.sandbox !== null) element.setAttribute('sandbox', order.sandbox);
      // All on the same spot: a frame out of sight is not drawn, and what is not drawn loads nothing.
      Object.assign(element.style, { position: 'fixed', top: '0', left: '0' });
      element.src = order.address;
      document.body.append(element);
    });
  await Promise.all(orders.map(open));
}

export function removeFrames(): void {
  document.body.replaceChildren();
}
