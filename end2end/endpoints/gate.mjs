// A place in a reply where it waits until a test lets it go on.

import { EventEmitter, once } from 'node:events';

const news = new EventEmitter().setMaxListeners(0);
const waiting = new Set();

/** Waits for `open`, or until the caller has hung up. */
export async function wait(response) {
  await new Promise((go) => {
    waiting.add(go);
    response.once('close', () => {
      waiting.delete(go);
      go();
    });
    news.emit('waiting');
  });
}

/** Lets all replies that wait go on, or as many of them, as soon as there is one, unless whoever asks has hung up by then. */
export async function open(count, response) {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (waiting.size === 0) await once(news, 'waiting', { signal: gone.signal });
  for (const go of [...waiting].slice(0, count)) {
    waiting.delete(go);
    go();
  }
}
