// A program that sends its person to the hub to be let in, with JavaScript switched off: on a laptop that is signed in,
// and on a phone that is not.

import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAgent, expect, screens, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { SignIn } from '../pages/sign-in.ts';

const VERIFIER = 'what-only-this-program-knows-and-shows-when-it-comes-back';

/** A program on the person's machine: where answers come to, and what it says of itself. */
class Desk {
  readonly server: Server = createServer((request, response) => {
    this.answers.push(new URL(request.url!, this.back));
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Fern Desk</title><h1>You are in.</h1>');
  });
  readonly answers: URL[] = [];
  client = '';

  constructor(readonly hub: string) {}

  get back(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/callback`;
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const said = { client_name: 'Fern Desk', redirect_uris: [this.back] };
    const registered = await fetch(`${this.hub}/oauth/register`, { method: 'POST', body: JSON.stringify(said) });
    expect(registered.status).toBe(201);
    this.client = ((await registered.json()) as { client_id: string }).client_id;
    return this;
  }

  get page(): string {
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const asked = { response_type: 'code', client_id: this.client, redirect_uri: this.back, code_challenge: challenge };
    return `/oauth/authorize?${new URLSearchParams({ ...asked, code_challenge_method: 'S256', scope: 'agents files', state: 'moss' })}`;
  }

  /** Brings the newest answer for a token, and asks with it what there is. */
  async tools(): Promise<string[]> {
    const answer = this.answers.at(-1)!.searchParams;
    expect([answer.get('state'), answer.get('iss')]).toEqual(['moss', this.hub]);
    const brought = { grant_type: 'authorization_code', client_id: this.client, code: answer.get('code')!, code_verifier: VERIFIER };
    const given = await fetch(`${this.hub}/oauth/token`, { method: 'POST', body: new URLSearchParams(brought) });
    const { access_token } = (await given.json()) as { access_token: string };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const listed = await fetch(`${this.hub}/mcp`, { method: 'POST', headers, body });
    const { result } = (await listed.json()) as { result: { tools: { title: string }[] } };
    return result.tools.map(({ title }) => title);
  }
}

test('a program is let in by a press, and ended where tokens are', async ({ laptop, phone, person, hub, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const desk = await new Desk(hub.url).start();
  await laptop.goto(desk.page);
  await expect(laptop.getByRole('heading', { level: 1 })).toHaveText('Let Fern Desk in?');
  await expect(laptop.getByLabel('It may read the files of your agents and your skills too')).toBeChecked();
  await expect(laptop.locator('main')).toContainText('Nobody vouches for this name');
  await expect(laptop.locator('main')).toContainText('a program on this device (127.0.0.1)');
  await screens(laptop, 'let-in');
  await laptop.getByRole('button', { name: 'Let it in' }).click();
  await expect(laptop.getByRole('heading', { level: 1 })).toHaveText('You are in.');
  expect(await desk.tools()).toEqual(['Ada']);

  await laptop.goto('/account#tokens');
  const row = new Account(laptop).token('Fern Desk (unverified)');
  await expect(row).toContainText('Speak with agents by MCP, and read their files');
  await row.getByRole('button', { name: 'Revoke Fern Desk (unverified)' }).click();
  await expect(row).toHaveCount(0);

  await phone.context().clearCookies();
  await phone.goto(desk.page);
  const entry = new SignIn(phone);
  await entry.signIn(person);
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Let Fern Desk in?');
  await phone.getByRole('button', { name: 'Do not' }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('You are in.');
  expect(desk.answers.at(-1)!.searchParams.get('error')).toBe('access_denied');
  desk.server.close();
});

test('an address that does not fit leads nowhere, and says so', async ({ laptop, hub }) => {
  const desk = await new Desk(hub.url).start();
  await laptop.goto(desk.page.replace(encodeURIComponent(desk.back), encodeURIComponent('https://evil.example/')));
  await expect(laptop.getByRole('alert')).toContainText('where the program does not say that it takes any');
  await expect(laptop.getByRole('button', { name: 'Let it in' })).toHaveCount(0);
  desk.server.close();
});
