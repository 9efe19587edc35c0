// The page stays where it is: forms are for its scripts, and a link that leads into the web is for the person to open.

import { attribute, closest, isElement, on, pathOfEvent, preventEvent, testPattern } from '../skin/pristine.js';
import { send } from '../skin/port.js';

on(window, 'submit', preventEvent, true);

on(
  window,
  'click',
  (event) => {
    const target = pathOfEvent(event)[0];
    const link = isElement(target) ? closest(target, 'a[*|href], area[href]') : null;
    const address = link ? (attribute(link, 'href') ?? '') : '';
    if (!link || address[0] === '#' || testPattern(/^\s*javascript:/i, address)) return;
    preventEvent(event);
    if (event.isTrusted && testPattern(/^\s*https?:/i, address)) {
      send({ type: 'rpc', message: { jsonrpc: '2.0', method: 'ui/open-link', params: { url: address } } });
    }
  },
  true,
);
