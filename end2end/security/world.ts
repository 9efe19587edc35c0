// A world: a browser whose only ways out are the hub's door and one wire, and who has been seen at the
// other end of that wire. Linux keeps it apart (user, network and mount namespaces), so that nothing
// which leaves the browser goes unnoticed: no name lookup, no packet to an address nobody serves.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Start } from './browser.ts';

const FOLDER = join(import.meta.dirname, 'world');

/** What reached the other end: `number` tells whose it was, `null` that it was nobody's. */
export interface Arrival {
  kind: 'lookup' | 'connection' | 'request' | 'packet' | 'announcement';
  number: number | null;
  what: string;
}

export class World {
  readonly arrivals: Arrival[] = [];

  private constructor(
    private readonly outside: ChildProcess,
    private readonly inside: number,
    private readonly profile: string,
    readonly browser: Browser,
  ) {}

  /** Makes a world in which what listens at `socket` is found at 127.0.0.1:`port`, and starts a browser there. */
  static async make(start: Start, socket: string, port: string): Promise<World> {
    const sink = [process.execPath, join(FOLDER, 'sink.mjs'), socket, port];
    const outside = spawn('unshare', ['--user', '--map-root-user', '--net', ...sink], { stdio: ['pipe', 'pipe', 'pipe'] });
    let complaints = '';
    outside.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
    const lines = createInterface(outside.stdout);
    const started = await Promise.race([once(lines, 'line'), once(outside, 'exit').then(() => undefined)]);
    if (!started) throw new Error(`This test needs unshare, nsenter, ip and the right to make namespaces:\n${complaints}`);
    const inside: number = JSON.parse(started[0]).ready;

    const profile = await mkdtemp(join(tmpdir(), 'profile-'));
    const browser = await start(inside, profile);
    const world = new World(outside, inside, profile, browser);
    lines.on('line', (line) => world.arrivals.push(JSON.parse(line)));
    return world;
  }

  /** Counts what the browser's side has put on the wire so far, whatever it was. */
  async packets(): Promise<number> {
    const devices = await readFile(`/proc/${this.inside}/net/dev`, 'utf8');
    const counts = /^\s*out:\s*(.*)$/m.exec(devices)?.[1]?.trim().split(/\s+/);
    if (!counts) throw new Error('The wire is gone.');
    return Number(counts[9]);
  }

  async end(): Promise<void> {
    await this.browser.close();
    const ended = once(this.outside, 'exit');
    this.outside.stdin!.end();
    await ended;
    await rm(this.profile, { recursive: true, force: true });
  }
}
