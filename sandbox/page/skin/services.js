// The part of `flo` that reaches the person and their devices. The shell asks them first.

import { NativeTypeError, setPrototypeOf } from './pristine.js';
import { promised } from './wants.js';
import { optionalText, optionsOfPage, textOfPage } from './options.js';
import { getCamera, getMediaStream, getMicrophone, getScreen, stopMediaStream } from './media.js';
import { speech } from './speech.js';
import { geolocation } from './geolocation.js';
/** @import { PermissionName } from './messages.js' */

const NOTICE_LENGTH = 1000;
const TITLE_LENGTH = 100;
/** @type {Record<string, true>} */
const VIEWS = setPrototypeOf({ min: true, max: true, 'ui-only': true, 'chat-only': true }, null);
/** By the names that a page may give them. @type {Record<string, PermissionName>} */
const PERMISSIONS = setPrototypeOf(
  {
    camera: 'camera',
    microphone: 'microphone',
    screen: 'screen',
    location: 'location',
    geolocation: 'location',
    listen: 'listen',
    notifications: 'notifications',
  },
  null,
);

/**
 * @param {any} notice a text, or one with a title
 * @returns {Promise<void>}
 */
function notify_user(notice) {
  const what = 'flo.notify_user(text)';
  const { title, text } = typeof notice === 'string' ? { title: undefined, text: notice } : optionsOfPage(notice, what);
  return promised({
    type: 'notify_user',
    title: optionalText(title, TITLE_LENGTH, `${what}: title`),
    text: textOfPage(text, NOTICE_LENGTH, `${what}: text`),
  });
}

/**
 * @param {string} view
 * @returns {Promise<'changed' | 'unchanged' | 'declined'>}
 */
function requestViewState(view) {
  if (typeof view !== 'string' || !VIEWS[view]) {
    throw new NativeTypeError("flo.requestViewState(view): view must be 'min', 'max', 'ui-only' or 'chat-only'");
  }
  return promised({ type: 'view_state', view });
}

/**
 * @param {string} name
 * @returns {Promise<'granted' | 'denied'>}
 */
function requestPermission(name) {
  const known = typeof name === 'string' ? PERMISSIONS[name] : undefined;
  if (!known) {
    throw new NativeTypeError(
      "flo.requestPermission(name): name must be 'camera', 'microphone', 'screen', 'location', 'listen' or 'notifications'",
    );
  }
  return promised({ type: 'permission', name: known });
}

export const services = {
  notify_user,
  requestViewState,
  requestPermission,
  getCamera,
  getMicrophone,
  getMediaStream,
  getScreen,
  stopMediaStream,
  speech,
  geolocation,
};
