// @ts-check
// The browser's functions as they are before any script of the page runs. A page may patch every
// prototype; what is taken here stays what it was, and never looks itself up again.

/**
 * Turns a method into a function that takes `this` as its first argument.
 *
 * @type {<T, A extends unknown[], R>(method: (this: T, ...args: A) => R) => (self: T, ...args: A) => R}
 */
const free = /** @type {any} */ (Function.prototype.bind.bind(Function.prototype.call));

/**
 * @param {object} prototype
 * @param {string} name
 * @returns {(self: any) => any}
 */
const getter = (prototype, name) => free(/** @type {any} */ (describeOwn(prototype, name).get));

/**
 * @param {object} prototype
 * @param {string} name
 * @returns {(self: any, value: any) => void}
 */
const setter = (prototype, name) => free(/** @type {any} */ (describeOwn(prototype, name).set));

/**
 * @param {object} prototype
 * @param {string} name
 */
const describeOwn = (prototype, name) => {
  const found = Object.getOwnPropertyDescriptor(prototype, name);
  if (!found) throw new Error(`this browser has no ${name}`);
  return found;
};

const { stringify, parse } = JSON;
const { keys, create, freeze, defineProperty, setPrototypeOf } = Object;
const { isArray } = Array;
const { apply } = Reflect;
const { isFinite: isFiniteNumber, isInteger } = Number;
const NativePromise = Promise;
const NativeError = Error;
const NativeTypeError = TypeError;
const NativeString = String;
const NativeException = DOMException;
const now = performance.now.bind(performance);
const setTimer = setTimeout.bind(window);
const clearTimer = clearTimeout.bind(window);
const round = Math.round;
const raiseError = reportError.bind(window);
const sort = free(/** @type {(this: string[]) => string[]} */ (Array.prototype.sort));
const wellFormed = free(String.prototype.toWellFormed);
const testPattern = free(RegExp.prototype.test);

const NativeWeakSet = WeakSet;
const addToSet = free(/** @type {(this: WeakSet<Node>, node: Node) => void} */ (WeakSet.prototype.add));
const inSet = free(/** @type {(this: WeakSet<Node>, node: Node) => boolean} */ (WeakSet.prototype.has));

const Observer = MutationObserver;
const observe = free(MutationObserver.prototype.observe);
const unobserve = free(MutationObserver.prototype.disconnect);
const takeRecords = free(MutationObserver.prototype.takeRecords);

const nameOfException = getter(DOMException.prototype, 'name');
const messageData = getter(MessageEvent.prototype, 'data');
const on = free(EventTarget.prototype.addEventListener);
const dispatch = free(EventTarget.prototype.dispatchEvent);

const rootOf = getter(Document.prototype, 'documentElement');
const headOf = getter(Document.prototype, 'head');
const bodyOf = getter(Document.prototype, 'body');
const makeElement = free(/** @type {(this: Document, name: string) => HTMLElement} */ (document.createElement));
const selectInDocument = free(/** @type {(this: Document, selector: string) => NodeListOf<Element>} */ (document.querySelectorAll));
const selectInElement = free(/** @type {(this: Element, selector: string) => NodeListOf<Element>} */ (Element.prototype.querySelectorAll));
const matches = free(/** @type {(this: Element, selector: string) => boolean} */ (Element.prototype.matches));
const closest = free(/** @type {(this: Element, selector: string) => Element | null} */ (Element.prototype.closest));

const htmlOf = getter(Element.prototype, 'innerHTML');
const setHtml = setter(Element.prototype, 'innerHTML');
const textOf = getter(Node.prototype, 'textContent');
const setText = setter(Node.prototype, 'textContent');
const childrenOf = getter(Node.prototype, 'childNodes');
const nodeTypeOf = getter(Node.prototype, 'nodeType');
const COMMENT = Node.COMMENT_NODE;
const insertBefore = free(/** @type {(this: Node, node: Node, next: Node | null) => Node} */ (Node.prototype.insertBefore));
const removeChild = free(/** @type {(this: Node, child: Node) => Node} */ (Node.prototype.removeChild));
const makeDocument = free(DOMImplementation.prototype.createHTMLDocument);
const makeComment = free(Document.prototype.createComment);
const importNode = free(/** @type {(this: Document, node: Node, deep: boolean) => Element} */ (Document.prototype.importNode));
const isConnected = getter(Node.prototype, 'isConnected');
const contentOf = getter(HTMLTemplateElement.prototype, 'content');
const localNameOf = getter(Element.prototype, 'localName');
const attributeNames = free(Element.prototype.getAttributeNames);
const attribute = free(Element.prototype.getAttribute);
const setAttribute = free(Element.prototype.setAttribute);
const removeAttribute = free(Element.prototype.removeAttribute);
const rectangle = free(Element.prototype.getBoundingClientRect);
const isInstance = free(Function.prototype[Symbol.hasInstance]);
const NativeElement = Element;
/** @type {(value: unknown) => value is Element} */
const isElement = (value) => /** @type {any} */ (isInstance(NativeElement, value));

const activeOf = getter(Document.prototype, 'activeElement');
const hasFocus = free(Document.prototype.hasFocus);
const focusOn = free(HTMLElement.prototype.focus);
const inputType = getter(HTMLInputElement.prototype, 'type');
const inputValue = getter(HTMLInputElement.prototype, 'value');
const setInputValue = setter(HTMLInputElement.prototype, 'value');
const inputDefault = getter(HTMLInputElement.prototype, 'defaultValue');
const inputCaret = getter(HTMLInputElement.prototype, 'selectionEnd');
const setInputCaret = free(/** @type {(this: HTMLInputElement, start: number, end: number) => void} */ (HTMLInputElement.prototype.setSelectionRange));
const isTicked = getter(HTMLInputElement.prototype, 'checked');
const setTicked = setter(HTMLInputElement.prototype, 'checked');
const isTickedByDefault = getter(HTMLInputElement.prototype, 'defaultChecked');
const areaValue = getter(HTMLTextAreaElement.prototype, 'value');
const setAreaValue = setter(HTMLTextAreaElement.prototype, 'value');
const areaDefault = getter(HTMLTextAreaElement.prototype, 'defaultValue');
const areaCaret = getter(HTMLTextAreaElement.prototype, 'selectionEnd');
const setAreaCaret = free(/** @type {(this: HTMLTextAreaElement, start: number, end: number) => void} */ (HTMLTextAreaElement.prototype.setSelectionRange));
const optionsOf = getter(HTMLSelectElement.prototype, 'options');
const isSelected = getter(HTMLOptionElement.prototype, 'selected');
const setSelected = setter(HTMLOptionElement.prototype, 'selected');
const isSelectedByDefault = getter(HTMLOptionElement.prototype, 'defaultSelected');

const append = free(Element.prototype.append);
const prepend = free(Element.prototype.prepend);
const before = free(Element.prototype.before);
const after = free(Element.prototype.after);
const replaceWith = free(Element.prototype.replaceWith);
const replaceChildren = free(Element.prototype.replaceChildren);
const removeElement = free(Element.prototype.remove);
