// What a person typed into fields and nobody has read yet. It is handed over when the page makes room
// for a newer one, and put back into the fields that are still there.

import {
  activeOf,
  areaCaret,
  areaDefault,
  areaValue,
  attribute,
  create,
  focusOn,
  hasFocus,
  inputCaret,
  inputDefault,
  inputType,
  inputValue,
  isArea,
  isInput,
  isSelect,
  isSelected,
  isSelectedByDefault,
  isTicked,
  isTickedByDefault,
  localNameOf,
  now,
  on,
  optionsOf,
  setAreaCaret,
  setAreaValue,
  setInputCaret,
  setInputValue,
  setSelected,
  setTicked,
  stringify,
} from './pristine.js';
import { list, push } from './list.js';
import { byteLength, plain, VALUE_LIMIT } from './json.js';
import { select } from './elements.js';
/** @import { FieldContent, Typed } from './messages.js' */

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

const TYPED_FIELDS = 64;
/** So long after a letter a person in a field is still typing. */
const TYPING_MS = 2000;
const FIELDS = 'input, textarea, select';

let lastLetter = -TYPING_MS;

on(
  window,
  'input',
  (event) => {
    if (event.isTrusted) lastLetter = now();
  },
  { capture: true, passive: true },
);

/** @returns {{ fields: Typed[], typing: boolean }} */
export function typedSoFar() {
  const fields = list();
  const active = hasFocus(document) ? activeOf(document) : null;
  const found = namedFields();
  let typing = false;
  for (let i = 0; i < found.length && fields.length < TYPED_FIELDS; i += 1) {
    const { element, field } = found[i];
    const focused = element === active;
    const content = contentOfField(element);
    if (focused && content.text !== undefined) typing = now() - lastLetter < TYPING_MS;
    if (!focused && !isChanged(element)) continue;
    push(fields, { field, focused, ...content });
  }
  const text = stringify(plain(fields));
  return byteLength(text) <= VALUE_LIMIT ? { fields, typing } : { fields: list(), typing };
}

/** @param {Typed[]} typed */
export function putBackTyped(typed) {
  if (typed.length === 0) return;
  const found = namedFields();
  for (let i = 0; i < typed.length; i += 1) {
    for (let j = 0; j < found.length; j += 1) {
      if (found[j].field === typed[i].field) putBack(found[j].element, typed[i]);
    }
  }
}

/**
 * @param {Field} element
 * @param {Typed} typed
 */
function putBack(element, { text, chosen, caret, focused }) {
  try {
    if (isSelect(element) && chosen) {
      const options = optionsOf(element);
      for (let i = 0; i < options.length; i += 1) setSelected(options[i], false);
      for (let i = 0; i < chosen.length; i += 1) if (options[chosen[i]]) setSelected(options[chosen[i]], true);
    } else if (isArea(element) && text !== undefined) setAreaValue(element, text);
    else if (isInput(element) && isTickbox(element)) setTicked(element, chosen !== undefined && chosen.length > 0);
    else if (isInput(element) && text !== undefined) setInputValue(element, text);
    if (!focused) return;
    focusOn(element, { preventScroll: true });
    if (caret === undefined || text === undefined) return;
    if (isArea(element)) setAreaCaret(element, caret, caret);
    else if (isInput(element)) setInputCaret(element, caret, caret);
  } catch {
    // A field that takes no such value, or no caret, stays as it is.
  }
}

/** Each field of the page under a name that a newer page has as well. */
function namedFields() {
  /** @type {{ element: Field, field: string }[]} */
  const found = list();
  const counts = create(null);
  const all = select(FIELDS);
  for (let i = 0; i < all.length; i += 1) {
    const element = all[i];
    // Elements of SVG may have the same names.
    if (!isField(element) || !isForPeople(element)) continue;
    const of = /** @param {string} name */ (name) => attribute(element, name) ?? '';
    const kind = `${localNameOf(element)} ${of('type')} ${of('id')} ${of('name')} ${isTickbox(element) ? of('value') : ''}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    push(found, { element, field: `${kind} ${counts[kind]}` });
  }
  return found;
}

/**
 * @param {Element} element
 * @returns {element is Field}
 */
function isField(element) {
  return isInput(element) || isArea(element) || isSelect(element);
}

/** @param {Field} element */
function isForPeople(element) {
  if (!isInput(element)) return true;
  const type = inputType(element);
  return !(type === 'hidden' || type === 'file' || type === 'submit' || type === 'reset' || type === 'button' || type === 'image');
}

/** @param {Field} element */
function isTickbox(element) {
  if (!isInput(element)) return false;
  const type = inputType(element);
  return type === 'checkbox' || type === 'radio';
}

/**
 * @param {Field} element
 * @returns {FieldContent}
 */
function contentOfField(element) {
  if (isSelect(element)) {
    const chosen = list();
    const options = optionsOf(element);
    for (let i = 0; i < options.length; i += 1) if (isSelected(options[i])) push(chosen, i);
    return { chosen };
  }
  if (isArea(element)) return { text: areaValue(element), caret: areaCaret(element) };
  if (isTickbox(element)) {
    const chosen = list();
    if (isTicked(element)) push(chosen, 0);
    return { chosen };
  }
  const text = inputValue(element);
  const caret = inputCaret(element);
  return typeof caret === 'number' ? { text, caret } : { text };
}

/** @param {Field} element */
function isChanged(element) {
  if (isArea(element)) return areaValue(element) !== areaDefault(element);
  if (isInput(element)) return isTickbox(element) ? isTicked(element) !== isTickedByDefault(element) : inputValue(element) !== inputDefault(element);
  const options = optionsOf(element);
  for (let i = 0; i < options.length; i += 1) if (isSelected(options[i]) !== isSelectedByDefault(options[i])) return true;
  return false;
}
