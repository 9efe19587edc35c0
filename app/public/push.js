// Web push: what stands between the switch of a device, the browser's own question, and the hub. A form that is
// marked with data-push is sent by this script.
(() => {
  'use strict';
  // The words of the reader's language, which the document has where that is not English.
  const known = JSON.parse(document.getElementById('words')?.textContent ?? '{}');
  const t = (english) => known[english] ?? english;

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

  /** Posts to the hub. What it refuses is an error in its own words. */
  async function ask(path, body) {
    const answer = await fetch(`/api/notifications/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    const read = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(read.message), { status: answer.status });
  }

  /** Under this name the browser keeps the address that the hub was told last for this person, until they sign out. */
  const TOLD = `vivarium.own.${document.documentElement.dataset.person}.push`;
  function keep(endpoint) {
    try {
      if (endpoint) localStorage.setItem(TOLD, endpoint);
      else localStorage.removeItem(TOLD);
    } catch {
      // A browser that keeps nothing tells the hub each time.
    }
  }
  function kept() {
    try {
      return localStorage.getItem(TOLD);
    } catch {
      return null;
    }
  }

  function subscribe(registration, key) {
    return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  }

  /** What is told of a subscription. */
  function told(made) {
    const { endpoint, keys } = made.toJSON();
    return { endpoint, p256dh: keys.p256dh, auth: keys.auth };
  }

  /** Tells the hub if this browser, which is notified, has another subscription than it knows of, or lost its own. */
  async function renew() {
    if (window.Notification?.permission !== 'granted') return;
    const registration = await navigator.serviceWorker?.getRegistration('/');
    if (!registration?.active || !registration.pushManager) return;
    const former = kept();
    const there = await registration.pushManager.getSubscription();
    if ((there?.endpoint ?? null) === former) return;
    const read = there ? null : await fetch('/api/notifications/reach', { headers: { accept: 'application/json' } });
    if (read && !read.ok) return;
    const made = there ?? (await subscribe(registration, (await read.json()).push_key));
    try {
      await ask('push_renew', told(made));
      keep(told(made).endpoint);
    } catch (error) {
      // This person does not want to be notified here.
      if (error.status !== 409) throw error;
      if (!there) await made.unsubscribe();
      keep(null);
    }
  }

  async function on(form) {
    if (!navigator.serviceWorker || !window.PushManager || !window.Notification) {
      const why = t('This browser cannot be notified at this address. It takes https; on an iPhone the hub has to be on the home screen.');
      throw new Error(why);
    }
    if ((await Notification.requestPermission()) !== 'granted') {
      const why = t('Your browser does not let this hub notify you. Allow it in the settings of this site, and try again.');
      throw new Error(why);
    }
    // Where the hub is installed as an app, the worker is there already, and keeps pages too.
    await ((await navigator.serviceWorker.getRegistration('/')) ?? navigator.serviceWorker.register('/service-worker.js'));
    const registration = await navigator.serviceWorker.ready;
    const made = await subscribe(registration, form.dataset.key).catch(async (error) => {
      // One that was made with another key stands in its way.
      const former = await registration.pushManager.getSubscription();
      if (!former) throw error;
      await former.unsubscribe();
      return subscribe(registration, form.dataset.key);
    });
    const buttons = new FormData(form).get('buttons') === 'true';
    await ask('push_on', { ...told(made), buttons });
    keep(told(made).endpoint);
    location.assign('/notifications/settings?done=push_on#devices');
  }

  async function off() {
    await ask('push_off', {});
    keep(null);
    const registration = await navigator.serviceWorker?.getRegistration('/');
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
    location.assign('/notifications/settings?done=push_off#devices');
  }

  function say(form, error) {
    const place = form.querySelector('[data-push-said]');
    if (!place) return;
    place.textContent = error ? error.message : '';
    place.hidden = !error;
  }

  // The next page tries again what failed.
  renew().catch(() => {});

  // Before the listeners of the page, which would send the form themselves.
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      const what = form instanceof HTMLFormElement && form.dataset.push;
      if (!what) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      say(form, null);
      form.setAttribute('aria-busy', 'true');
      const done = what === 'on' ? on(form) : off();
      done.catch((error) => say(form, error)).finally(() => form.removeAttribute('aria-busy'));
    },
    true,
  );
})();
