// A person of the hub, who speaks to it as its pages do.

import { execFileSync } from 'node:child_process';

const PASSWORD = 'correct horse battery';

export class Person {
  #hub;
  #cookie;

  constructor(hub, cookie) {
    this.#hub = hub;
    this.#cookie = cookie;
  }

  /** Makes an account in a hub with this folder, and signs in. */
  static async make({ hub, binary, folder, name }) {
    const env = { ...process.env, VIVARIUM_DATA_DIR: folder };
    execFileSync(binary, ['user', 'add', name, '--password-stdin'], { input: PASSWORD, env });
    const body = JSON.stringify({ name, password: PASSWORD });
    const headers = { 'content-type': 'application/json', origin: hub };
    const signIn = () => fetch(`${hub}/api/account/sign_in`, { method: 'POST', headers, body });
    let answer = await signIn();
    // All scenarios begin at once, and passwords are looked at a few at a time.
    while (!answer.ok) {
      await new Promise((go) => setTimeout(go, 500));
      answer = await signIn();
    }
    return new Person(hub, answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]).join('; '));
  }

  async read(path) {
    return this.#answered(path, {});
  }

  async call(path, body) {
    const headers = { origin: this.#hub, 'content-type': 'application/json' };
    return this.#answered(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Goes where the browser is led, with its cookie at the hub alone, until it is back there. */
  async goTo(address) {
    for (let at = address, steps = 0; steps < 10; steps++) {
      const isBack = new URL(at).origin === this.#hub;
      const answer = await fetch(at, { redirect: 'manual', headers: isBack ? { cookie: this.#cookie } : {} });
      const next = answer.headers.get('location');
      if (isBack || !next) return;
      at = new URL(next, at).href;
    }
  }

  async #answered(path, request) {
    const headers = { ...request.headers, cookie: this.#cookie };
    const answer = await fetch(`${this.#hub}/api/${path}`, { ...request, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }
}
