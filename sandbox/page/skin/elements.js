// Finding elements, and telling what they look like.

import {
  attribute,
  attributeNames,
  bodyOf,
  create,
  localNameOf,
  NativeError,
  rectangle,
  round,
  selectInDocument,
  selectInElement,
} from './pristine.js';
import { list, push } from './list.js';

/**
 * @param {string} selector
 * @param {Element} [scope]
 * @returns {Element[]}
 */
export function select(selector, scope) {
  const found = list();
  let nodes;
  try {
    nodes = scope ? selectInElement(scope, selector) : selectInDocument(document, selector);
  } catch {
    throw new NativeError(`not a valid CSS selector: ${selector}`);
  }
  for (let i = 0; nodes[i]; i += 1) push(found, nodes[i]);
  return found;
}

/**
 * Like `select`, but refuses to find nothing.
 *
 * @param {string} selector
 */
export function selectSome(selector) {
  const found = select(selector);
  if (found.length === 0) throw new NativeError(`no element matches ${selector}`);
  return found;
}

/**
 * An element as a short tag: `<div#id.class>`.
 *
 * @param {Element} element
 */
export function tagOf(element) {
  const id = attribute(element, 'id');
  const classes = attribute(element, 'class');
  return `<${localNameOf(element)}${id ? `#${id}` : ''}${classes ? `.${classes}` : ''}>`;
}

/**
 * The size on the screen in CSS pixels, and whether a person can see anything of it.
 *
 * @param {Element | null} element
 */
export function rendered(element) {
  if (!element) return { width: 0, height: 0, visible: false };
  const { width, height } = rectangle(element);
  const visible = width > 0 && height > 0 && isShown(element);
  return { width: round(width), height: round(height), visible };
}

/** @param {Element} element */
function isShown(element) {
  return element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true;
}

/**
 * @param {Element} element
 * @returns {Record<string, string>}
 */
export function attributesOf(element) {
  const found = create(null);
  const names = attributeNames(element);
  for (let i = 0; i < names.length; i += 1) found[names[i]] = attribute(element, names[i]);
  return found;
}

/** The body, as what stands for the whole page. */
export function body() {
  return /** @type {HTMLElement | null} */ (bodyOf(document));
}
