// The browser's functions as they are before any script of the page runs. A page may patch every
// prototype; what is taken here stays what it was, and never looks itself up again.

/**
 * Turns a method into a function that takes `this` as its first argument.
 *
 * @type {<T, A extends unknown[], R>(method: (this: T, ...args: A) => R) => (self: T, ...args: A) => R}
 */
export const free = /** @type {any} */ (Function.prototype.bind.bind(Function.prototype.call));

/**
 * @template {object} T
 * @template {keyof T & string} N
 * @param {T} prototype
 * @param {N} name
 * @returns {(self: T) => T[N]}
 */
export const getter = (prototype, name) => free(/** @type {(this: T) => T[N]} */ (describeOwn(prototype, name).get));

/**
 * @template {object} T
 * @template {keyof T & string} N
 * @param {T} prototype
 * @param {N} name
 * @returns {(self: T, value: T[N]) => void}
 */
export const setter = (prototype, name) => free(/** @type {(this: T, value: T[N]) => void} */ (describeOwn(prototype, name).set));

/**
 * @param {object} prototype
 * @param {string} name
 */
const describeOwn = (prototype, name) => {
  const found = Object.getOwnPropertyDescriptor(prototype, name);
  if (!found) throw new Error(`this browser has no ${name}`);
  return found;
};

export const { stringify, parse } = JSON;
export const { keys, create, freeze, hasOwn, defineProperty, setPrototypeOf, getOwnPropertyNames: ownNames } = Object;
export const { isArray } = Array;
export const { apply } = Reflect;
export const { isFinite: isFiniteNumber, isInteger } = Number;
export const NativePromise = Promise;
export const NativeError = Error;
export const NativeTypeError = TypeError;
export const NativeString = String;
export const NativeException = DOMException;
export const NativeEvent = Event;
export const now = performance.now.bind(performance);
export const setTimer = setTimeout.bind(window);
export const clearTimer = clearTimeout.bind(window);
export const { round, random } = Math;
export const raiseError = reportError.bind(window);
export const sort = free(/** @type {(this: string[]) => string[]} */ (Array.prototype.sort));
export const wellFormed = free(String.prototype.toWellFormed);
export const testPattern = free(RegExp.prototype.test);

export const NativeWeakSet = WeakSet;
export const addToSet = free(/** @type {(this: WeakSet<Node>, node: Node) => void} */ (WeakSet.prototype.add));
export const inSet = free(/** @type {(this: WeakSet<Node>, node: Node) => boolean} */ (WeakSet.prototype.has));

export const Observer = MutationObserver;
export const observe = free(MutationObserver.prototype.observe);
export const unobserve = free(MutationObserver.prototype.disconnect);
export const takeRecords = free(MutationObserver.prototype.takeRecords);

export const nameOfException = getter(DOMException.prototype, 'name');
export const messageData = getter(MessageEvent.prototype, 'data');
/** @typedef {boolean | AddEventListenerOptions} ListenerOptions */
export const on = free(
  /** @type {<E extends Event>(this: EventTarget, type: string, listener: (event: E) => void, options?: ListenerOptions) => void} */ (
    EventTarget.prototype.addEventListener
  ),
);
export const dispatch = free(EventTarget.prototype.dispatchEvent);
export const stopEvent = free(Event.prototype.stopImmediatePropagation);
export const preventEvent = free(Event.prototype.preventDefault);
export const pathOfEvent = free(Event.prototype.composedPath);
export const timeOfEvent = getter(Event.prototype, 'timeStamp');
export const hasAltOfPress = getter(MouseEvent.prototype, 'altKey');
export const hasAltOfKey = getter(KeyboardEvent.prototype, 'altKey');
export const hasControlOfKey = getter(KeyboardEvent.prototype, 'ctrlKey');
export const hasMetaOfKey = getter(KeyboardEvent.prototype, 'metaKey');
export const keyOfEvent = getter(KeyboardEvent.prototype, 'key');

export const rootOf = getter(Document.prototype, 'documentElement');
export const headOf = getter(Document.prototype, 'head');
export const bodyOf = getter(Document.prototype, 'body');
export const makeElement = free(
  /** @type {<K extends keyof HTMLElementTagNameMap>(this: Document, name: K) => HTMLElementTagNameMap[K]} */ (document.createElement),
);
export const selectInDocument = free(/** @type {(this: Document, selector: string) => NodeListOf<Element>} */ (document.querySelectorAll));
export const selectInElement = free(/** @type {(this: Element, selector: string) => NodeListOf<Element>} */ (Element.prototype.querySelectorAll));
export const matches = free(/** @type {(this: Element, selector: string) => boolean} */ (Element.prototype.matches));
export const closest = free(/** @type {(this: Element, selector: string) => Element | null} */ (Element.prototype.closest));

export const htmlOf = getter(Element.prototype, 'innerHTML');
export const setHtml = setter(Element.prototype, 'innerHTML');
export const textOf = getter(Node.prototype, 'textContent');
export const setText = setter(Node.prototype, 'textContent');
export const childrenOf = getter(Node.prototype, 'childNodes');
export const nodeTypeOf = getter(Node.prototype, 'nodeType');
export const COMMENT = Node.COMMENT_NODE;
export const insertBefore = free(/** @type {(this: Node, node: Node, next: Node | null) => Node} */ (Node.prototype.insertBefore));
export const removeChild = free(/** @type {(this: Node, child: Node) => Node} */ (Node.prototype.removeChild));
export const makeDocument = free(DOMImplementation.prototype.createHTMLDocument);
export const makeComment = free(Document.prototype.createComment);
export const importNode = free(/** @type {(this: Document, node: Node, deep: boolean) => Element} */ (Document.prototype.importNode));
export const attachShadowTo = free(Element.prototype.attachShadow);
export const selectInShadow = free(/** @type {(this: ShadowRoot, selector: string) => NodeListOf<Element>} */ (DocumentFragment.prototype.querySelectorAll));
export const isConnected = getter(Node.prototype, 'isConnected');
export const contentOf = getter(HTMLTemplateElement.prototype, 'content');
export const localNameOf = getter(Element.prototype, 'localName');
export const attributeNames = free(Element.prototype.getAttributeNames);
export const attribute = free(Element.prototype.getAttribute);
export const setAttribute = free(Element.prototype.setAttribute);
export const removeAttribute = free(Element.prototype.removeAttribute);
export const rectangle = free(Element.prototype.getBoundingClientRect);
export const isInstance = free(Function.prototype[Symbol.hasInstance]);
const NativeElement = Element;
/**
 * @param {unknown} value
 * @returns {value is Element}
 */
export const isElement = (value) => isInstance(NativeElement, value);

const NativeInput = HTMLInputElement;
/**
 * @param {unknown} value
 * @returns {value is HTMLInputElement}
 */
export const isInput = (value) => isInstance(NativeInput, value);
const NativeArea = HTMLTextAreaElement;
/**
 * @param {unknown} value
 * @returns {value is HTMLTextAreaElement}
 */
export const isArea = (value) => isInstance(NativeArea, value);
const NativeSelect = HTMLSelectElement;
/**
 * @param {unknown} value
 * @returns {value is HTMLSelectElement}
 */
export const isSelect = (value) => isInstance(NativeSelect, value);

export const activeOf = getter(Document.prototype, 'activeElement');
export const hasFocus = free(Document.prototype.hasFocus);
export const focusOn = free(HTMLElement.prototype.focus);
export const inputType = getter(HTMLInputElement.prototype, 'type');
export const inputValue = getter(HTMLInputElement.prototype, 'value');
export const setInputValue = setter(HTMLInputElement.prototype, 'value');
export const inputDefault = getter(HTMLInputElement.prototype, 'defaultValue');
export const inputCaret = getter(HTMLInputElement.prototype, 'selectionEnd');
export const setInputCaret = free(/** @type {(this: HTMLInputElement, start: number, end: number) => void} */ (HTMLInputElement.prototype.setSelectionRange));
export const isTicked = getter(HTMLInputElement.prototype, 'checked');
export const setTicked = setter(HTMLInputElement.prototype, 'checked');
export const isTickedByDefault = getter(HTMLInputElement.prototype, 'defaultChecked');
export const areaValue = getter(HTMLTextAreaElement.prototype, 'value');
export const setAreaValue = setter(HTMLTextAreaElement.prototype, 'value');
export const areaDefault = getter(HTMLTextAreaElement.prototype, 'defaultValue');
export const areaCaret = getter(HTMLTextAreaElement.prototype, 'selectionEnd');
export const setAreaCaret = free(/** @type {(this: HTMLTextAreaElement, start: number, end: number) => void} */ (HTMLTextAreaElement.prototype.setSelectionRange));
export const optionsOf = getter(HTMLSelectElement.prototype, 'options');
export const isSelected = getter(HTMLOptionElement.prototype, 'selected');
export const setSelected = setter(HTMLOptionElement.prototype, 'selected');
export const isSelectedByDefault = getter(HTMLOptionElement.prototype, 'defaultSelected');

export const append = free(Element.prototype.append);
export const prepend = free(Element.prototype.prepend);
export const before = free(Element.prototype.before);
export const after = free(Element.prototype.after);
export const replaceWith = free(Element.prototype.replaceWith);
export const replaceChildren = free(Element.prototype.replaceChildren);
export const removeElement = free(Element.prototype.remove);
