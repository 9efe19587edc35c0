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
    if (!answer.ok) throw new Error(read.message);
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
    const wanted = { userVisibleOnly: true, applicationServerKey: bytes(form.dataset.key) };
    const made = await registration.pushManager.subscribe(wanted).catch(async (error) => {
      // One that was made with another key stands in its way.
      const former = await registration.pushManager.getSubscription();
      if (!former) throw error;
      await former.unsubscribe();
      return registration.pushManager.subscribe(wanted);
    });
    const { endpoint, keys } = made.toJSON();
    const buttons = new FormData(form).get('buttons') === 'true';
    await ask('push_on', { endpoint, p256dh: keys.p256dh, auth: keys.auth, buttons });
    location.assign('/notifications/settings?done=push_on#devices');
  }

  async function off() {
    await ask('push_off', {});
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
