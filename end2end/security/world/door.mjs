// The browser's side of a world: the hub is behind the door at its own address, all else on the wire.
//
//     unshare --net --mount node door.mjs SOCKET PORT NAME_SERVER

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [, , socket, port, nameServer] = process.argv;

const folder = mkdtempSync(join(tmpdir(), 'world-'));
const file = join(folder, 'resolv.conf');
writeFileSync(file, `nameserver ${nameServer}\n`);
execFileSync('ip', ['link', 'set', 'lo', 'up']);
execFileSync('mount', ['--bind', file, '/etc/resolv.conf']);
rmSync(folder, { recursive: true });

process.stdin.on('end', () => process.exit()).resume();
createServer((near) => {
  const far = connect(socket);
  near.on('error', () => far.destroy()).pipe(far);
  far.on('error', () => near.destroy()).pipe(near);
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));
