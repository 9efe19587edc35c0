// The worker that shows notifications, and passes on what is answered where they are shown. It keeps nothing
// and answers no request of a page.
'use strict';

/** What a notification says that could not be read. */
const UNREAD = { title: 'Vivarium', body: 'Something happened with one of your agents.', navigate: '/notifications' };

function read(data) {
  try {
    return { ...UNREAD, ...data.json().notification };
  } catch {
    return UNREAD;
  }
}

function show({ title, body, tag, navigate, data }) {
  const actions = data?.answer
    ? [
        { action: 'once', title: 'Allow once' },
        { action: 'deny', title: 'Deny' },
      ]
    : [];
  return self.registration.showNotification(title, {
    body,
    tag,
    renotify: Boolean(tag),
    actions,
    requireInteraction: actions.length > 0,
    data: { navigate, ...data },
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
async function answer({ navigate, answer: secret }, decision) {
  let body = 'The hub cannot be reached. Open it to answer.';
  try {
    const said = await fetch('/api/approvals/answer_notified', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ secret, decision }),
    });
    if (said.ok) return;
    body = (await said.json()).message ?? body;
  } catch {
    // There is no connection, and the body says so.
  }
  await show({ title: 'Not answered', body, navigate });
}

self.addEventListener('push', (event) => event.waitUntil(show(read(event.data))));

self.addEventListener('notificationclick', (event) => {
  const { action, notification } = event;
  const data = notification.data ?? UNREAD;
  notification.close();
  event.waitUntil(action && data.answer ? answer(data, action) : open(data.navigate));
});
