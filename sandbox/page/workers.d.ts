// What stands above the scripts of the workers.

/** The WebAssembly's glue, above `shim.js`. */
declare const wasm_bindgen: {
  initSync(source: { module: Uint8Array }): void;
  boot(post: (text: string) => void): void;
  receive(text: string): void;
};

/** The agent's code, above `scripts/worker.js`. */
declare const script: () => Promise<unknown>;
