// A skin stays where it is: forms are for scripts and listeners, and links lead inside the page. One
// that leads into the web is for the person to open, outside. What `hand.js` stops is not heard here.

import { attribute, closest, isElement, on, pathOfEvent, testPattern } from './pristine.js';
import './hand.js';
import { demand } from './wants.js';

const ADDRESS_LENGTH = 2048;

on(window, 'submit', (event) => event.preventDefault(), true);

on(
  window,
  'click',
  (event) => {
    // In a shadow tree of the page's, its own target hides the link.
    const target = pathOfEvent(event)[0];
    if (!isElement(target)) return;
    const link = closest(target, 'a[*|href], area[href]');
    const address = link ? (attribute(link, 'href') ?? attribute(link, 'xlink:href') ?? '') : '';
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
