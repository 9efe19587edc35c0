// What the build puts above the loop frame's script.

/** The text of `scripts/worker.js`. */
declare const WORKER: string;
