// @ts-check
// What a person typed into fields and nobody has read yet. It is handed over when the page makes room
// for a newer one, and put back into the fields that are still there.

const TYPED_FIELDS = 64;
/** So long after a letter a person in a field is still typing. */
const TYPING_MS = 2000;
const FIELDS = 'input, textarea, select';

let lastLetter = -TYPING_MS;

on(
  window,
  'input',
  /** @param {Event} event */
  (event) => {
    if (event.isTrusted) lastLetter = now();
  },
  { capture: true, passive: true },
);

/** @returns {{ fields: Typed[], typing: boolean }} */
function typedSoFar() {
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
function putBackTyped(typed) {
  if (typed.length === 0) return;
  const found = namedFields();
  for (let i = 0; i < typed.length; i += 1) {
    for (let j = 0; j < found.length; j += 1) {
      if (found[j].field === typed[i].field) putBack(found[j].element, typed[i]);
    }
  }
}

/**
 * @param {any} element
 * @param {Typed} typed
 */
function putBack(element, { text, chosen, caret, focused }) {
  try {
    const kind = localNameOf(element);
    if (kind === 'select' && chosen) {
      const options = optionsOf(element);
      for (let i = 0; i < options.length; i += 1) setSelected(options[i], false);
      for (let i = 0; i < chosen.length; i += 1) if (options[chosen[i]]) setSelected(options[chosen[i]], true);
    } else if (kind === 'textarea' && text !== undefined) setAreaValue(element, text);
    else if (kind === 'input' && isTickbox(element)) setTicked(element, chosen !== undefined && chosen.length > 0);
    else if (kind === 'input' && text !== undefined) setInputValue(element, text);
    if (!focused) return;
    focusOn(element, { preventScroll: true });
    if (caret !== undefined && text !== undefined) (kind === 'textarea' ? setAreaCaret : setInputCaret)(element, caret, caret);
  } catch {
    // A field that takes no such value, or no caret, stays as it is.
  }
}

/** Each field of the page under a name that a newer page has as well. */
function namedFields() {
  const found = list();
  const counts = create(null);
  const all = select(FIELDS);
  for (let i = 0; i < all.length; i += 1) {
    const element = all[i];
    if (!isForPeople(element)) continue;
    const of = /** @param {string} name */ (name) => attribute(element, name) ?? '';
    const kind = `${localNameOf(element)} ${of('type')} ${of('id')} ${of('name')} ${isTickbox(element) ? of('value') : ''}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    push(found, { element, field: `${kind} ${counts[kind]}` });
  }
  return found;
}

/** @param {Element} element */
function isForPeople(element) {
  if (localNameOf(element) !== 'input') return true;
  const type = inputType(element);
  return !(type === 'hidden' || type === 'file' || type === 'submit' || type === 'reset' || type === 'button' || type === 'image');
}

/** @param {Element} element */
function isTickbox(element) {
  if (localNameOf(element) !== 'input') return false;
  const type = inputType(element);
  return type === 'checkbox' || type === 'radio';
}

/**
 * @param {Element} element
 * @returns {FieldContent}
 */
function contentOfField(element) {
  if (localNameOf(element) === 'select') {
    const chosen = list();
    const options = optionsOf(element);
    for (let i = 0; i < options.length; i += 1) if (isSelected(options[i])) push(chosen, i);
    return { chosen };
  }
  if (isTickbox(element)) {
    const chosen = list();
    if (isTicked(element)) push(chosen, 0);
    return { chosen };
  }
  const isArea = localNameOf(element) === 'textarea';
  const text = isArea ? areaValue(element) : inputValue(element);
  const caret = isArea ? areaCaret(element) : inputCaret(element);
  return typeof caret === 'number' ? { text, caret } : { text };
}

/** @param {Element} element */
function isChanged(element) {
  const kind = localNameOf(element);
  if (kind === 'textarea') return areaValue(element) !== areaDefault(element);
  if (kind === 'input') return isTickbox(element) ? isTicked(element) !== isTickedByDefault(element) : inputValue(element) !== inputDefault(element);
  const options = optionsOf(element);
  for (let i = 0; i < options.length; i += 1) if (isSelected(options[i]) !== isSelectedByDefault(options[i])) return true;
  return false;
}
