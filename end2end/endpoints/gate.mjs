// A place in a reply where it waits until a test lets it go on.

import { EventEmitter, once } from 'node:events';

const news = new EventEmitter().setMaxListeners(0);
let waiting = 0;

/** Waits for `open`, or until the caller has hung up. */
export async function wait(response) {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  waiting += 1;
  news.emit('waiting');
  await once(news, 'open', { signal: gone.signal }).catch(() => undefined);
  waiting -= 1;
}

/** Lets all replies that wait go on, as soon as there is one. */
export async function open() {
  if (waiting === 0) await once(news, 'waiting');
  news.emit('open');
}
