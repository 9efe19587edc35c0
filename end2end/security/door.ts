// What stands before the hub in these tests: it passes every answer on as the hub gave it, takes out the
// defences that an address names, and adds a page that can hold frames under the shell's own policy.
//
//     /harness                  an empty page under the headers of the hub's sign-in page
//     ?without=HEADER           without that response header; `all` for every one
//     ?frames=any               with a policy that lets frames be anything
//     ?nested=kept              a skin whose own script takes no frame out of it
//     ?report=HOST              with a policy that reports to that host (in an answer without headers)

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAGE = '<!doctype html><title>Harness</title><body></body>';
const OF_THE_TRANSPORT = ['connection', 'content-encoding', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

export class Door {
  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    readonly socket: string,
  ) {}

  static async open(hub: string): Promise<Door> {
    const folder = await mkdtemp(join(tmpdir(), 'door-'));
    const socket = join(folder, 'hub.sock');
    const server = createServer((request, response) => {
      answer(hub, request.url!).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        (error) => response.writeHead(502).end(String(error)),
      );
    }).listen(socket);
    await once(server, 'listening');
    return new Door(server, folder, socket);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await rm(this.folder, { recursive: true });
  }
}

async function answer(hub: string, address: string) {
  const { pathname, searchParams } = new URL(address, hub);
  const isHarness = pathname === '/harness';
  const from = await fetch(hub + (isHarness ? '/sign-in' : pathname), { redirect: 'error' });
  const body = isHarness ? PAGE : inside(await from.text(), pathname, searchParams);
  const headers = new Headers(from.headers);
  const without = searchParams.getAll('without');
  const names = without.includes('all') ? [...headers.keys()].filter((name) => name !== 'content-type') : without;
  for (const name of [...OF_THE_TRANSPORT, ...names]) headers.delete(name);
  if (searchParams.get('frames') === 'any') {
    const policy = headers.get('content-security-policy') ?? '';
    if (!policy.includes('frame-src ')) throw new Error('The shell has no frame-src to take out.');
    headers.set('content-security-policy', policy.replace(/frame-src [^;]*/, 'frame-src * data: blob:'));
  }
  const report = searchParams.get('report');
  if (report) headers.set('content-security-policy-report-only', `img-src 'none'; report-uri http://${report}/`);
  return { status: from.status, headers: Object.fromEntries(headers), body };
}

function inside(html: string, pathname: string, wanted: URLSearchParams): string {
  if (pathname !== '/sandbox/skin' || wanted.get('nested') !== 'kept') return html;
  const taken = "const FRAMES = 'iframe, frame';";
  if (!html.includes(taken)) throw new Error('The skin takes no frames out.');
  return html.replace(taken, "const FRAMES = 'nothing';");
}
