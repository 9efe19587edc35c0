// Writes server-sent events the way a bad network delivers them: in pieces of 1 to 17 bytes that
// respect neither lines nor UTF-8 sequences. The sizes repeat from run to run. Of a long reply only the
// beginning comes in such crumbs: by then all has been cut that can be.

import { setImmediate as soon, setTimeout as later } from 'node:timers/promises';
import { wait } from './gate.mjs';

/** Bytes of a reply that come in crumbs, and how much larger the pieces are after that. */
const CRUMBS = 64 * 1024;
const LARGER = 64;
/** Deltas of a reply, about: in a longer one several words come at once, as servers that have fallen behind send them. */
const DELTAS = 1000;

export class Stream {
  /** Tokens of the request and of the reply, as far as the caller was told of them. */
  used = { input: 0, output: 0 };
  #response;
  #size = 1;
  #sent = 0;

  constructor(response) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  }

  /** Tells the caller what was used, with this event. */
  async bill(used, data, name) {
    if (!this.#response.destroyed) Object.assign(this.used, used);
    await this.event(data, name);
  }

  /** Sends one event; `name` is left out on a wire whose events have none. */
  async event(data, name) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    await this.#bytes(Buffer.from(`${name ? `event: ${name}\n` : ''}data: ${text}\n\n`));
  }

  /** Calls `send` with each delta of a block, `pace_ms` apart: words of a text or so many `letters` of it, scraps of a tool's input. */
  async deltas(block, send) {
    const whole = block.tool ? JSON.stringify(block.input ?? {}) : block.text;
    const letters = block.tool ? 6 : block.letters;
    const pieces = whole.match(letters ? new RegExp(`[^]{1,${letters}}`, 'gu') : /\s*\S+\s*/gu) ?? [];
    const together = letters ? 1 : Math.ceil(pieces.length / DELTAS);
    for (let at = 0; at < pieces.length; at += together) {
      const piece = pieces.slice(at, at + together).join('');
      if (block.gate === piece.trim()) await wait(this.#response);
      if (this.#response.destroyed) return;
      await send(piece);
      if (block.pace_ms) await later(block.pace_ms);
    }
  }

  // Nothing is awaited after the last piece, so that a caller who hangs up on seeing the end of the
  // stream is not mistaken for one who gave up.
  async #bytes(bytes) {
    for (let at = 0; !this.#response.destroyed; await soon()) {
      this.#size = ((this.#size * 5 + 3) % 17) + 1;
      const size = this.#size * (this.#sent < CRUMBS ? 1 : LARGER);
      this.#response.write(bytes.subarray(at, at + size));
      this.#sent += size;
      at += size;
      if (at >= bytes.length) return;
    }
  }
}

/** Tokens as this endpoint counts them: one per four characters of JSON. */
export function tokens(what) {
  return Math.ceil(JSON.stringify(what).length / 4);
}
