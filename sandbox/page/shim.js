// The end of the worker's script: takes the WebAssembly and the port, and passes text between them.

onmessage = ({ data }) => {
  onmessage = null;
  /** @type {MessagePort} */
  const port = data.port;
  const glue = wasm_bindgen;
  /** @param {() => void} step */
  const guard = (step) => {
    try {
      step();
    } catch (error) {
      port.onmessage = null;
      port.postMessage(JSON.stringify({ type: 'broken', message: String(error) }));
    }
  };
  guard(() => {
    glue.initSync({ module: new Uint8Array(data.wasm) });
    port.onmessage = (event) => guard(() => glue.receive(event.data));
    glue.boot((text) => port.postMessage(text));
  });
};
postMessage('listening');
