// @ts-check
// A skin stays where it is: forms are for scripts and listeners, and links lead inside the page.

on(window, 'submit', (/** @type {any} */ event) => event.preventDefault(), true);

on(
  window,
  'click',
  (/** @type {any} */ event) => {
    const { target } = event;
    if (!isElement(target)) return;
    const link = closest(target, 'a[href], area[href]');
    if (link && leadsAway(attribute(link, 'href') ?? '')) event.preventDefault();
  },
  true,
);

/**
 * A `javascript:` address runs a script of the page's, which may run anyway.
 *
 * @param {string} address
 */
function leadsAway(address) {
  return address[0] !== '#' && !testPattern(/^\s*javascript:/i, address);
}
