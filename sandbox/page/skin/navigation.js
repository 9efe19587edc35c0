// @ts-check
// A skin stays where it is: forms are for scripts and listeners, and links lead inside the page. One
// that leads into the web is for the person to open, outside.

const ADDRESS_LENGTH = 2048;

on(window, 'submit', (/** @type {any} */ event) => event.preventDefault(), true);

on(
  window,
  'click',
  (/** @type {any} */ event) => {
    const { target } = event;
    if (!isElement(target)) return;
    const link = closest(target, 'a[href], area[href]');
    const address = link ? (attribute(link, 'href') ?? '') : '';
    if (!link || !leadsAway(address)) return;
    event.preventDefault();
    // A press that a script made up is nobody's wish.
    if (event.isTrusted && testPattern(/^\s*https?:/i, address)) offerLink(address);
  },
  true,
);

/** @param {string} url */
function offerLink(url) {
  if (url.length > ADDRESS_LENGTH) return;
  demand({ type: 'open_link', url }, { event() {}, done() {}, failed() {} });
}

/**
 * A `javascript:` address runs a script of the page's, which may run anyway.
 *
 * @param {string} address
 */
function leadsAway(address) {
  return address[0] !== '#' && !testPattern(/^\s*javascript:/i, address);
}
