// S2: the answer itself carries the sandbox, whoever opens it: not the element that frames it.

import { expect, test } from '../../fixtures.ts';

/** What a script finds when it reaches for what the hub's own origin keeps. */
function reach() {
  const attempt = (get: () => unknown) => {
    try {
      return String(get());
    } catch (error) {
      return (error as Error).name;
    }
  };
  return {
    origin: self.origin,
    cookie: attempt(() => document.cookie),
    localStorage: attempt(() => localStorage.length),
    sessionStorage: attempt(() => sessionStorage.length),
    indexedDB: attempt(() => indexedDB.open('a').constructor.name),
    caches: attempt(() => self.caches),
    serviceWorker: attempt(() => navigator.serviceWorker.controller),
  };
}

for (const path of ['/sandbox/skin', '/sandbox/loop']) {
  test(`${path} opened by itself has an opaque origin and no storage, also for a signed-in person`, async ({ laptop }) => {
    const cookies = await laptop.context().cookies();
    expect(cookies.map(({ name }) => name).sort()).toEqual([
      expect.stringMatching(/^__Host-vivarium$/),
      '__Host-vivarium-known',
    ]);
    await laptop.goto(path);
    expect(await laptop.evaluate(reach)).toEqual({
      origin: 'null',
      cookie: 'SecurityError',
      localStorage: 'SecurityError',
      sessionStorage: 'SecurityError',
      indexedDB: 'SecurityError',
      caches: expect.stringMatching(/undefined|SecurityError/),
      serviceWorker: expect.stringMatching(/TypeError|SecurityError/),
    });
  });

  test(`${path} opened by another page does not know its opener`, async ({ laptop, hub }) => {
    await laptop.route('**/opener', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Opener</title>' }));
    await laptop.goto(`${hub.url}/opener`);
    const [opened] = await Promise.all([
      laptop.waitForEvent('popup'),
      laptop.evaluate((address) => void window.open(address), path),
    ]);
    await opened.waitForURL(hub.url + path);
    expect(await opened.evaluate(() => window.opener)).toBeNull();
  });

  test(`${path} cannot be framed by another site`, async ({ laptop, hub }) => {
    await laptop.route('http://localhost:*/other-site', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${hub.url}${path}"></iframe>` }),
    );
    await laptop.goto(`${hub.url.replace('127.0.0.1', 'localhost')}/other-site`);
    await expect.poll(() => laptop.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });

  test(`${path} is never sent without its sandbox`, async ({ hub }) => {
    const answer = await fetch(hub.url + path);
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^sandbox allow-scripts( allow-forms)?;/);
    expect(policy).not.toContain('allow-same-origin');
    expect(policy).not.toMatch(/report-(uri|to)/);
    expect(answer.headers.get('connection-allowlist')).toBe('()');
    for (const name of ['reporting-endpoints', 'report-to', 'nel']) expect(answer.headers.get(name)).toBeNull();
  });
}
