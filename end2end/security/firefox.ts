// Firefox in a world. It is driven over a socket that exists only in there, and so its driver runs in
// there as well and speaks over its standard streams.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Tab } from './browser.ts';
import { openFrames, removeFrames } from './frames.ts';

type Said = { ready: true } | { ran: number } | { id: number; failed?: string };

export async function startFirefox(inside: number, folder: string): Promise<Browser> {
  const enter = ['--preserve-credentials', '--user', '--net', '--mount', `--target=${inside}`, '--'];
  const driver = [process.execPath, join(import.meta.dirname, 'world/firefox.mjs'), folder];
  const child = spawn('nsenter', [...enter, ...driver], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (failed?: string) => void>();
  let hear: (number: number) => void = () => undefined;
  await new Promise<void>((ready, never) => {
    child.on('exit', () => never(new Error('The driver of Firefox ended.')));
    createInterface(child.stdout).on('line', (line) => {
      const said: Said = JSON.parse(line);
      if ('ready' in said) ready();
      else if ('ran' in said) hear(said.ran);
      else waiting.get(said.id)?.(said.failed);
    });
  });

  let last = 0;
  const ask = (what: object) =>
    new Promise<number>((resolve, reject) => {
      const id = (last += 1);
      waiting.set(id, (failed) => (failed === undefined ? resolve(id) : reject(new Error(failed))));
      child.stdin.write(`${JSON.stringify({ id, ...what })}\n`);
    });

  return {
    async open(address): Promise<Tab> {
      const tab = await ask({ open: address });
      const run = async (code: (argument: never) => unknown, argument: unknown) => void (await ask({ tab, run: String(code), argument }));
      return {
        make(orders, ran) {
          hear = ran;
          return run(openFrames, orders);
        },
        clear: () => run(removeFrames, null),
      };
    },
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
