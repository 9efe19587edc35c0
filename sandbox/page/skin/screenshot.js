// The page as a picture: what `dom` gives for `screenshot`. No page may read the screen, so a copy of this one is
// written down as a drawing that holds HTML, and that is drawn on a canvas. It is drawn a screen at a time, so that
// lengths that follow the height of the screen are what they are on the page. Pages in frames are left empty.

import {
  append,
  areaValue,
  attribute,
  bodyOf,
  free,
  getter,
  importNode,
  inputType,
  inputValue,
  isArea,
  isInput,
  isSelect,
  isSelected,
  isTicked,
  localNameOf,
  makeDocument,
  makeElement,
  NativeError,
  optionsOf,
  rectangle,
  removeAttribute,
  removeElement,
  rootOf,
  round,
  setAttribute,
  setText,
  setter,
  testPattern,
} from './pristine.js';
import { select, selectSome } from './elements.js';

/** Pixels of its longer side: models see no more of a picture. */
const LONGEST_SIDE = 1568;
/** Screens of a page that are drawn. */
const MOST_SCREENS = 4;
/** Characters of a data URL. What is longer as PNG is told as JPEG. */
const LONGEST_URL = 1_400_000;
const JPEG_QUALITY = 0.85;
/** Elements that are copied. */
const MOST_ELEMENTS = 20_000;

const contextOf = free(/** @type {(this: HTMLCanvasElement, kind: '2d') => CanvasRenderingContext2D} */ (HTMLCanvasElement.prototype.getContext));
const setWidth = setter(HTMLCanvasElement.prototype, 'width');
const setHeight = setter(HTMLCanvasElement.prototype, 'height');
const urlOf = free(HTMLCanvasElement.prototype.toDataURL);
const draw = free(
  /** @type {(this: CanvasRenderingContext2D, what: CanvasImageSource, x: number, y: number, width: number, height: number) => void} */ (
    CanvasRenderingContext2D.prototype.drawImage
  ),
);
const fill = free(CanvasRenderingContext2D.prototype.fillRect);
const setFill = setter(CanvasRenderingContext2D.prototype, 'fillStyle');
const styleOf = window.getComputedStyle.bind(window);
const property = free(CSSStyleDeclaration.prototype.getPropertyValue);
const serializer = new XMLSerializer();
const serialize = free(XMLSerializer.prototype.serializeToString);
const decode = free(HTMLImageElement.prototype.decode);
const setSource = setter(HTMLImageElement.prototype, 'src');
const sourceOf = getter(HTMLImageElement.prototype, 'src');
const sheetOf = getter(HTMLStyleElement.prototype, 'sheet');
const rulesOf = getter(CSSStyleSheet.prototype, 'cssRules');
const textOfRule = getter(CSSRule.prototype, 'cssText');
const scrollWidthOf = getter(Element.prototype, 'scrollWidth');
const scrollHeightOf = getter(Element.prototype, 'scrollHeight');
const replaceText = free(/** @type {(this: string, pattern: RegExp, by: string) => string} */ (String.prototype.replace));
const encodeAddress = encodeURIComponent;
const prefers = window.matchMedia.bind(window);
const { min, max, ceil } = Math;

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Area of the page, in CSS pixels
 * @param {{ selector?: string }} input
 * @returns {Promise<object>}
 */
export async function takeScreenshot({ selector }) {
  const screen = { width: window.innerWidth, height: window.innerHeight };
  if (screen.width === 0 || screen.height === 0) throw new NativeError('the page has no size on this device, so there is no picture of it');
  const whole = areaOf(selector);
  const area = { ...whole, height: min(whole.height, MOST_SCREENS * screen.height) };
  if (area.width < 1 || area.height < 1) throw new NativeError(`${selector ?? 'the page'} has no size, so there is no picture of it`);
  const scale = min(1, LONGEST_SIDE / max(area.width, area.height));
  const canvas = makeElement(document, 'canvas');
  setWidth(canvas, ceil(area.width * scale));
  setHeight(canvas, ceil(area.height * scale));
  const context = contextOf(canvas, '2d');
  setFill(context, background());
  fill(context, 0, 0, area.width * scale, area.height * scale);
  const page = written();
  for (let top = 0; top < area.height; top += screen.height) {
    const picture = await drawn(page, screen, area.x, area.y + top);
    draw(context, picture, 0, top * scale, screen.width * scale, screen.height * scale);
  }
  const result = { screenshot: address(canvas), width: round(area.width), height: round(area.height), scale: round(scale * 100) / 100 };
  return area.height < whole.height ? { ...result, whole_height: round(whole.height) } : result;
}

/**
 * @param {string | undefined} selector
 * @returns {Area}
 */
function areaOf(selector) {
  if (selector !== undefined) {
    const { left, top, width, height } = rectangle(selectSome(selector)[0]);
    return { x: left + window.scrollX, y: top + window.scrollY, width, height };
  }
  const root = rootOf(document);
  return { x: 0, y: 0, width: scrollWidthOf(root), height: max(scrollHeightOf(root), window.innerHeight) };
}

/** What a browser fills the screen with: the colour of the page, or of its body where it has none. */
function background() {
  const body = bodyOf(document);
  const own = valueOf(rootOf(document), 'background-color');
  if (!isClear(own)) return own;
  const ofBody = body ? valueOf(body, 'background-color') : CLEAR;
  if (!isClear(ofBody)) return ofBody;
  return isDark() ? '#121212' : '#fff';
}

const CLEAR = 'rgba(0, 0, 0, 0)';

/** @param {string} colour */
const isClear = (colour) => colour === CLEAR || colour === 'transparent';

/**
 * @param {Element} element
 * @param {string} name
 */
const valueOf = (element, name) => property(styleOf(element), name);

/** Whether the browser's own colours are the dark ones. */
function isDark() {
  const scheme = valueOf(rootOf(document), 'color-scheme');
  return testPattern(/\bdark\b/, scheme) && (wantsDark() || !testPattern(/\blight\b/, scheme));
}

const wantsDark = () => prefers('(prefers-color-scheme: dark)').matches;

/** The page as XHTML, with what a copy of its elements does not show. */
function written() {
  const copy = importNode(makeDocument(document.implementation, ''), rootOf(document), true);
  const originals = select('*', rootOf(document));
  const copies = select('*', copy);
  if (originals.length > MOST_ELEMENTS) throw new NativeError(`a picture is made of ${MOST_ELEMENTS} elements at most; the page has ${originals.length}`);
  for (let i = 0; i < originals.length; i += 1) bringAlong(originals[i], copies[i]);
  const base = makeElement(document, 'style');
  setText(base, `${asDrawn(ownStyles())}${NO_MOTION}html{color-scheme:${isDark() ? 'dark' : 'light'}!important}`);
  append(/** @type {Element} */ (select('head', copy)[0] ?? copy), base);
  return replaceText(serialize(serializer, copy), CONTROL, '');
}

/** What XML has no way to write. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** What moves is shown where it comes to rest. */
const NO_MOTION = '*,*::before,*::after{animation-delay:-1000s!important;transition:none!important;caret-color:transparent!important}';
const ALWAYS = '(min-width:0)';
const NEVER = '(max-width:0)';

/** The rules that stand in no element. */
function ownStyles() {
  let text = '';
  const sheets = document.adoptedStyleSheets;
  for (let i = 0; i < sheets.length; i += 1) text += rules(sheets[i]);
  return text;
}

/** @param {CSSStyleSheet} sheet */
function rules(sheet) {
  let text = '';
  const all = rulesOf(sheet);
  for (let i = 0; i < all.length; i += 1) text += `${textOfRule(all[i])}\n`;
  return text;
}

/**
 * In the drawing the page is no root, and nobody prefers anything.
 *
 * @param {string} css
 */
function asDrawn(css) {
  const isDarkWanted = wantsDark();
  const rooted = replaceText(css, /:root\b/g, 'html');
  const lit = replaceText(rooted, /\(prefers-color-scheme:\s*light\)/g, isDarkWanted ? NEVER : ALWAYS);
  return replaceText(lit, /\(prefers-color-scheme:\s*dark\)/g, isDarkWanted ? ALWAYS : NEVER);
}

/**
 * @param {Element} original
 * @param {Element} copy
 */
function bringAlong(original, copy) {
  const name = localNameOf(original);
  if (name === 'script' || name === 'noscript') return removeElement(copy);
  if (name === 'style') {
    const sheet = sheetOf(/** @type {HTMLStyleElement} */ (original));
    return setText(copy, sheet ? asDrawn(rules(/** @type {CSSStyleSheet} */ (sheet))) : '');
  }
  if (name === 'iframe' || name === 'object' || name === 'embed') return removeAttribute(copy, 'src');
  if (name === 'canvas' || name === 'video') return still(/** @type {HTMLCanvasElement} */ (original), copy);
  if (name === 'img') {
    const source = sourceOf(/** @type {HTMLImageElement} */ (original));
    if (testPattern(/^blob:/, source)) setAttribute(copy, 'src', pictureOf(/** @type {HTMLImageElement} */ (original)));
    return undefined;
  }
  return asFilledIn(original, copy);
}

/**
 * @param {Element} original
 * @param {Element} copy
 */
function asFilledIn(original, copy) {
  if (isInput(original)) {
    const type = inputType(original);
    if (type === 'checkbox' || type === 'radio') {
      if (isTicked(original)) setAttribute(copy, 'checked', '');
      else removeAttribute(copy, 'checked');
    } else if (type !== 'file') setAttribute(copy, 'value', inputValue(original));
  } else if (isArea(original)) setText(copy, areaValue(original));
  else if (isSelect(original)) {
    const options = optionsOf(original);
    const copied = select('option', copy);
    for (let i = 0; i < options.length && i < copied.length; i += 1) {
      if (isSelected(options[i])) setAttribute(copied[i], 'selected', '');
      else removeAttribute(copied[i], 'selected');
    }
  }
}

/**
 * What draws itself is the background of its copy, which draws nothing.
 *
 * @param {HTMLCanvasElement | HTMLVideoElement} original
 * @param {Element} copy
 */
function still(original, copy) {
  const own = attribute(copy, 'style') ?? '';
  setAttribute(copy, 'style', `${own};background:url("${pictureOf(original)}") content-box 0 0/100% 100% no-repeat`);
}

/**
 * @param {HTMLCanvasElement | HTMLVideoElement | HTMLImageElement} source
 * @returns {string} empty where the browser gives nobody what it shows
 */
function pictureOf(source) {
  const { width, height } = rectangle(source);
  if (width < 1 || height < 1) return '';
  const canvas = makeElement(document, 'canvas');
  setWidth(canvas, ceil(width));
  setHeight(canvas, ceil(height));
  try {
    draw(contextOf(canvas, '2d'), source, 0, 0, width, height);
    return urlOf(canvas);
  } catch {
    return '';
  }
}

/**
 * One screen of the page, as a picture.
 *
 * @param {string} page
 * @param {{ width: number, height: number }} screen
 * @param {number} x
 * @param {number} y
 * @returns {Promise<HTMLImageElement>}
 */
async function drawn(page, { width, height }, x, y) {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">` +
    `<foreignObject x="0" y="0" width="${width}" height="${height}" style="overflow:visible">${page}</foreignObject></svg>`;
  const picture = makeElement(document, 'img');
  setSource(picture, `data:image/svg+xml;charset=utf-8,${encodeAddress(svg)}`);
  try {
    await decode(picture);
  } catch {
    throw new NativeError('this browser cannot draw the page as a picture');
  }
  return picture;
}

/** @param {HTMLCanvasElement} canvas */
function address(canvas) {
  const png = urlOf(canvas);
  if (png.length <= LONGEST_URL) return png;
  const jpeg = urlOf(canvas, 'image/jpeg', JPEG_QUALITY);
  if (jpeg.length <= LONGEST_URL) return jpeg;
  throw new NativeError('the picture is too large; take one of a part, with selector');
}
