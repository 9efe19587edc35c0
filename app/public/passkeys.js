// Passkeys: what stands between the forms of the account page and of the sign-in page, the browser's own
// dialog, and the hub. A form that is marked with data-passkey is sent by this script.
(() => {
  'use strict';
  if (!window.PublicKeyCredential || !navigator.credentials) return;

  // The words of the reader's language, which the document has where that is not English.
  const known = JSON.parse(document.getElementById('words')?.textContent ?? '{}');
  const t = (english) => known[english] ?? english;

  /** A challenge of the hub's is good for ten minutes. */
  const RENEWED_MS = 8 * 60 * 1000;

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');

  /** Posts to the hub. What it refuses is an error in its own words. */
  async function ask(path, body) {
    const answer = await fetch(`/api/passkeys/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    const read = await answer.json();
    if (!answer.ok) throw new Error(read.message);
    return read;
  }

  async function add(form) {
    const { name, password } = Object.fromEntries(new FormData(form));
    const options = await ask('start', { password });
    const made = await navigator.credentials.create({
      publicKey: {
        challenge: bytes(options.challenge),
        rp: { id: options.party, name: 'Vivarium' },
        user: { id: bytes(options.person), name: options.name, displayName: options.name },
        pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: options.existing.map((id) => ({ type: 'public-key', id: bytes(id) })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      },
    });
    await ask('add', {
      name,
      client_data: text(made.response.clientDataJSON),
      attestation: text(made.response.attestationObject),
    });
    location.assign('/account?done=passkey#passkeys');
  }

  /** What waits for the person to choose a passkey: only one can. */
  let waiting = new AbortController();

  async function get(mediation) {
    waiting.abort();
    waiting = new AbortController();
    const { signal } = waiting;
    const { challenge, party } = await ask('challenge', {});
    const found = await navigator.credentials.get({
      mediation,
      signal,
      publicKey: { challenge: bytes(challenge), rpId: party, userVerification: 'required' },
    });
    const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
    await ask('sign_in', {
      credential: text(found.rawId),
      client_data: text(clientDataJSON),
      authenticator_data: text(authenticatorData),
      signature: text(signature),
      ...(userHandle ? { person: text(userHandle) } : {}),
    });
    location.assign('/');
  }

  /** Words for what browsers say in codes. */
  function words(error) {
    switch (error.name) {
      case 'NotAllowedError':
        return t('Nothing was chosen, or it took too long. Try again, or use your password.');
      case 'InvalidStateError':
        return t('This device has a passkey of yours for this hub already.');
      case 'SecurityError':
        return t('Your browser lets no passkey be used at this address.');
      case 'NotSupportedError':
      case 'ConstraintError':
        return t('This device cannot make passkeys that check who uses it.');
      default:
        return error.message;
    }
  }

  function say(form, error) {
    const place = form.querySelector('[data-passkey-said]');
    if (!place) return;
    place.textContent = error ? words(error) : '';
    place.hidden = !error;
  }

  // Before the listeners of the page, which would send the form themselves.
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      const what = form instanceof HTMLFormElement && form.dataset.passkey;
      if (!what) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      say(form, null);
      form.setAttribute('aria-busy', 'true');
      const done = what === 'add' ? add(form) : get('optional');
      done.catch((error) => say(form, error)).finally(() => form.removeAttribute('aria-busy'));
    },
    true,
  );

  /** Offers passkeys in the browser's list for the name field, where it has one. */
  async function offer(form) {
    form.hidden = false;
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    try {
      await get('conditional');
    } catch (error) {
      // Given up for the button, or by the browser: nobody has chosen anything.
      if (error.name === 'AbortError' || error.name === 'NotAllowedError') return;
      say(form, error);
    }
  }

  const begin = () => {
    const form = document.querySelector('form[data-passkey="sign-in"]');
    if (!form) return;
    offer(form);
    setInterval(() => form.hasAttribute('aria-busy') || offer(form), RENEWED_MS);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
  else begin();
})();
