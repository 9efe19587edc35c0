// The real program with the scripted model endpoint behind it, and a person whose programs call their
// models: what the suites of the clients need to know is in `env`.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../..');
const BINARY = resolve(ROOT, process.env.VIVARIUM_BIN ?? join(process.env.CARGO_TARGET_DIR ?? 'target', 'debug/vivarium'));
const PASSWORD = 'correct horse battery';

export class World {
  binary = BINARY;
  /** A token that may do what the person can. */
  owner = '';

  static async start() {
    const world = new World();
    [world.model, world.endpoint] = await listen(process.execPath, [join(ROOT, 'end2end/endpoints/model.mjs'), '0'], /listening (\S+)/);
    world.folder = await mkdtemp(join(tmpdir(), 'vivarium-clients-'));
    const { DATABASE_URL: _, ...inherited } = process.env;
    const env = { ...inherited, VIVARIUM_ADDR: '127.0.0.1:0', VIVARIUM_DATA_DIR: world.folder, VIVARIUM_PERSON_REQUESTS: '0' };
    [world.program, world.hub] = await listen(BINARY, [], /Vivarium is at (\S+)/, { cwd: ROOT, env });
    const cli = (args, input = '') => execFileSync(BINARY, args, { cwd: ROOT, env, input, encoding: 'utf8' }).trim();
    cli(['user', 'add', 'ada', '--password-stdin'], PASSWORD);
    world.owner = cli(['token', 'create', '--user', 'ada']);
    const make = (path, body) => world.#post(path, world.owner, body);
    const at = async (name, kind, base_url = world.endpoint) => make('providers/save', { name, kind, base_url, key: 'key-good' });
    await at('Chat', 'open_ai');
    const claude = await at('Claude', 'anthropic');
    await make('agents/create', {
      name: 'Fern', colour: '#3d9a5d', provider: claude.id, model: 'claude-sonnet-4-5', tools: ['state'], home: 'hub',
    });
    await at('Errors', 'anthropic');
    await at('Slow', 'anthropic');
    await at('Down', 'anthropic', 'http://127.0.0.1:1');
    const token = async (name, per_month) => (await make('account/create_token', { name, scope: 'agents', per_month })).token;
    world.env = {
      VIVARIUM: world.hub,
      VIVARIUM_TOKEN: await token('client', ''),
      VIVARIUM_POOR_TOKEN: await token('poor client', '0.001'),
      ENDPOINT: world.endpoint,
    };
    return world;
  }

  async end() {
    for (const child of [this.program, this.model]) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await rm(this.folder, { recursive: true });
  }

  async #post(path, token, body) {
    const answer = await fetch(`${this.hub}/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}

async function listen(program, args, words, options = {}) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  for await (const line of lines) {
    const found = words.exec(line);
    if (found) {
      child.stdout.resume();
      return [child, found[1]];
    }
  }
  throw new Error(`${program} ended before it listened.`);
}
