// The worker beside the pages. It shows notifications, and passes on what is answered where they are shown. Where
// the hub was installed as an app (its address then ends in ?keep) it also keeps the pages that were read last, and
// shows them while the hub cannot be reached; and it takes what other apps share.
'use strict';

/** Of each language but English, by its tag: the English, and what it is there. The hub puts them in. */
const WORDS = {};
const say = (english, lang) => WORDS[lang]?.[english] ?? english;
/** The browser's own language, for where nothing says which one its person reads the hub in. */
const OWN = self.navigator.language.split('-')[0];

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/** What a notification says that could not be read. */
const UNREAD = { title: 'Vivarium', body: say('Something happened with one of your agents.', OWN), navigate: '/notifications', lang: OWN };

function read(data) {
  try {
    return { ...UNREAD, ...data.json().notification };
  } catch {
    return UNREAD;
  }
}

/** What can be done where it is shown. The place of an option is its name. */
function buttons(data, lang) {
  if (data?.answer) {
    return [
      { action: 'once', title: say('Allow once', lang) },
      { action: 'deny', title: say('Deny', lang) },
    ];
  }
  // What is not shown whole is allowed where it is, on the page that a press on the rest opens.
  if (data?.deny) return [{ action: 'deny', title: say('Deny', lang) }];
  if (!data?.reply) return [];
  if (data.options?.length) return data.options.map((title, place) => ({ action: String(place), title }));
  return [{ action: 'reply', type: 'text', title: say('Reply', lang) }];
}

function show({ title, body, tag, navigate, lang, data }) {
  const actions = buttons(data, lang);
  return self.registration.showNotification(title, {
    body,
    tag,
    lang,
    renotify: Boolean(tag),
    actions,
    requireInteraction: Boolean(data?.answer || data?.deny || data?.waits),
    data: { navigate, lang, ...data },
  });
}

/** Brings a window to the page, one of ours that is there already if there is one. */
async function open(address) {
  const wanted = new URL(address, self.location.origin);
  if (wanted.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find((one) => new URL(one.url).pathname === wanted.pathname);
  await (there ? there.focus() : self.clients.openWindow(wanted.href));
}

/** Answers with the secret that came along. What the hub says to it is shown, if it is not what was meant. */
async function answer({ navigate, lang }, path, answered) {
  let body = say('The hub cannot be reached. Open it to answer.', lang);
  try {
    const said = await fetch(`/api/approvals/${path}`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(answered),
    });
    if (said.ok) return;
    body = (await said.json()).message ?? body;
  } catch {
    // There is no connection, and the body says so.
  }
  await show({ title: say('Not answered', lang), body, navigate, lang });
}

/** Does what a press means. Where nothing could be written in the notification, the page is for that. */
function pressed({ action, reply }, data) {
  const secret = data.answer ?? data.deny;
  if (action && secret) return answer(data, 'answer_notified', { secret, decision: action });
  const text = action && data.reply && (data.options?.[action] ?? reply);
  return text ? answer(data, 'reply_notified', { secret: data.reply, text }) : open(data.navigate);
}

self.addEventListener('push', (event) => event.waitUntil(show(read(event.data))));

/** The push service has given up the address of this browser: it gets another one, and the hub is told it. */
async function renew() {
  const { push_key } = await (await fetch('/api/notifications/reach', { headers: JSON_HEADERS })).json();
  const wanted = { userVisibleOnly: true, applicationServerKey: push_key };
  const { endpoint, keys } = (await self.registration.pushManager.subscribe(wanted)).toJSON();
  const body = JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth });
  await fetch('/api/notifications/push_renew', { method: 'POST', headers: JSON_HEADERS, body });
}

// Where that fails, the next page of the hub that is opened sees to it.
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew().catch(() => {})));

self.addEventListener('notificationclick', (event) => {
  const data = event.notification.data ?? UNREAD;
  event.notification.close();
  event.waitUntil(pressed(event, data));
});

const KEEPS = self.location.search === '?keep';
/** Begins the name of the cache of a build: its files, and the pages that load them. */
const CACHE = 'kept-';
/** Pages kept at most. Those that were read last stay. */
const PAGES = 30;
/** Pages that may be kept: what a person reads. None shows a secret, and none changes a setting. */
const READ =
  /^\/(?:$|notifications$|agents\/(?!new$)[^/]+(?:\/(?:files|earlier|conversations(?:\/[^/]+)?))?$)/;
const isRead = (url) => READ.test(new URL(url).pathname);
/** The build that a page is of, in its document. */
const BUILD = /data-assets="\/b\/([0-9a-f]+)"/;

/** The cache of what another app shared. */
const SHARED = 'shared-files';
/** Bytes of a text that still fit into an address. What is longer is a file. */
const MOST_IN_ADDRESS = 4000;

let last = Promise.resolve();
/** One after the other: nothing that was being kept is there after it was forgotten. */
const inTurn = (work) => (last = last.then(work, work));

async function forgetPages() {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE));
  await Promise.all(names.map((name) => caches.delete(name)));
}

async function forget() {
  await forgetPages();
  await caches.delete(SHARED);
}

/** Keeps a page as the hub shows it now, with the files that it names. What is of another build is let go of. */
async function keep(url) {
  const response = await fetch(url, { redirect: 'manual' });
  if (response.status !== 200) return;
  const document = await response.clone().text();
  const build = BUILD.exec(document)?.[1];
  if (!build) return;
  const name = CACHE + build;
  const former = (await caches.keys()).filter((other) => other.startsWith(CACHE) && other !== name);
  await Promise.all(former.map((other) => caches.delete(other)));
  const cache = await caches.open(name);
  // A page that is put in again stands behind all others.
  await cache.delete(url);
  await cache.put(url, response);
  const files = new Set(document.match(new RegExp(`/b/${build}/[^"'\\s<>]+`, 'g')));
  await Promise.all([...files].map((file) => keepFile(cache, file)));
  const pages = (await cache.keys()).filter((one) => isRead(one.url));
  await Promise.all(pages.slice(0, -PAGES).map((page) => cache.delete(page)));
}

async function keepFile(cache, url) {
  if (await cache.match(url)) return;
  const response = await fetch(url);
  if (response.status === 200) await cache.put(url, response);
}

/** A page from the hub; while it is away, as it was kept. */
async function page(event, url) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    // Nobody is signed in here any more. What was just shared waits until somebody is.
    if (url.pathname === '/sign-in') event.waitUntil(inTurn(forgetPages));
    return response;
  } catch {
    return (await caches.match(url.href)) ?? (await away());
  }
}

/** A file of a build never changes. */
async function file(url, build) {
  const cache = await caches.open(CACHE + build);
  await keepFile(cache, url.href);
  return (await cache.match(url.href)) ?? fetch(url.href);
}

/** Keeps the files that another app shares until an agent takes them, in place of those that none took, and leads to the
 *  page where its person chooses one. */
async function share(request) {
  const form = await request.formData();
  const asked = new URLSearchParams();
  const files = form.getAll('files').filter((file) => file instanceof File && file.size > 0);
  for (const name of ['title', 'text', 'url']) {
    const text = String(form.get(name) ?? '');
    if (encodeURIComponent(text).length <= MOST_IN_ADDRESS) asked.set(name, text);
    else files.push(new File([text], 'shared.txt', { type: 'text/plain' }));
  }
  try {
    await caches.delete(SHARED);
    const cache = await caches.open(SHARED);
    for (const [place, file] of files.entries()) {
      const { name, type } = file;
      const address = `/shared-files/${place}?${new URLSearchParams({ name, type })}`;
      await cache.put(address, new Response(file));
      asked.append('file', name);
    }
  } catch {
    // There is no room for them, and the page says so.
    await caches.delete(SHARED);
    asked.delete('file');
    asked.set('missed', '1');
  }
  return Response.redirect(`/share-target?${asked}`, 303);
}

const escaped = (text) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** The value of an attribute of a document's root. */
const rootHas = (document, name) => new RegExp(`<html[^>]* ${name}="([^"<>]*)"`).exec(document)?.[1];

/** What is shown in place of a page that was not kept: which ones were, in the language and the colours of the last. */
async function away() {
  const kept = [];
  let last = '';
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      if (!isRead(url)) continue;
      last = await (await cache.match(url)).text();
      const title = /<title>([^<]*)<\/title>/.exec(last)?.[1]?.replace(/ · Vivarium$/, '');
      // The document has the title with its letters escaped.
      kept.push(`<li><a href="${escaped(url)}">${title || 'Vivarium'}</a></li>`);
    }
  }
  const lang = rootHas(last, 'lang') ?? (OWN in WORDS ? OWN : 'en');
  const theme = rootHas(last, 'data-theme') ?? 'system';
  const list = kept.length ? `<h2>${say('Kept on this device', lang)}</h2><ul>${kept.reverse().join('')}</ul>` : '';
  const body = `<!DOCTYPE html><html lang="${lang}" data-theme="${theme}"><head><meta charset="utf-8"><title>${say('Hub offline', lang)} · Vivarium</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<style>
  :root { color-scheme: light dark; }
  :root[data-theme="light"] { color-scheme: light; }
  :root[data-theme="dark"] { color-scheme: dark; }
  body { max-width: 40rem; margin: 0 auto; padding: 3rem 1.25rem; background: light-dark(#faf9f5, #171412);
    color: light-dark(#2b2620, #eae5dc); font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.5rem; } h2 { margin-top: 2rem; font-size: 1rem; } ul { padding: 0; list-style: none; }
  a { display: inline-block; padding: .6rem 0; color: light-dark(#236b3e, #7cc793); }
</style></head><body><main><h1>${say('The hub cannot be reached', lang)}</h1>
<p>${say('This page was not read on this device before. It comes when the hub is back.', lang)}</p>
<p><a href="">${say('Try again', lang)}</a></p>${list}</main></body></html>`;
  return new Response(body, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  });
}

if (KEEPS) {
  self.addEventListener('activate', (event) => {
    event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
  });

  // A page says which one it is: most are opened without a document of their own.
  self.addEventListener('message', (event) => {
    const url = new URL(event.data?.read ?? '', self.location.origin);
    if (url.origin === self.location.origin && isRead(url.href)) event.waitUntil(inTurn(() => keep(url.origin + url.pathname)));
  });

  self.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (url.origin !== self.location.origin) return;
    if (url.pathname === '/api/account/sign_out') event.waitUntil(inTurn(forget));
    if (request.method === 'POST' && url.pathname === '/share-target') event.respondWith(inTurn(() => share(request)));
    if (request.method !== 'GET') return;
    const build = /^\/b\/([0-9a-f]+)\//.exec(url.pathname)?.[1];
    if (build) event.respondWith(file(url, build));
    else if (request.mode === 'navigate' && request.destination === 'document') event.respondWith(page(event, url));
  });
}
