// Colours of code whose language is known. Nothing of the page is changed: the browser is told which stretches of its
// text are what (the CSS Custom Highlight API). Where it cannot, code stays in one colour.
(() => {
  'use strict';
  /** After so much quiet; code that is still being written is not read again with each word. */
  const QUIET_MS = 250;
  /** A longer block stays in one colour: reading it is a matter of the page's own time. */
  const MAX_CHARS = 10_000;
  /** A language whose code took longer than this is not read any more: somebody may have written it to take long. */
  const MAX_MS = 500;
  const BLOCKS = 'pre[data-language] > code';
  /** What highlight.js calls a stretch, by what it is here. Others stay as they are. */
  const KINDS = {
    comment: 'comment',
    quote: 'comment',
    meta: 'comment',
    keyword: 'keyword',
    literal: 'keyword',
    'selector-tag': 'keyword',
    doctag: 'keyword',
    name: 'keyword',
    section: 'name',
    title: 'name',
    type: 'name',
    built_in: 'name',
    class: 'name',
    attr: 'name',
    attribute: 'name',
    property: 'name',
    variable: 'name',
    'selector-class': 'name',
    'selector-id': 'name',
    string: 'string',
    regexp: 'string',
    char: 'string',
    code: 'string',
    link: 'string',
    number: 'number',
    symbol: 'number',
    bullet: 'number',
    addition: 'added',
    deletion: 'removed',
  };
  const { highlights } = CSS;
  if (!highlights) return;

  const base = new URL('.', document.currentScript.src);
  let library;
  /** By block: its text when it was read, and the stretches found in it. */
  const read = new WeakMap();
  const slow = new Set();

  /** `undefined` without a connection: with the next change it is tried again. */
  const load = async () => {
    try {
      library ??= (await import(new URL('highlight.min.js', base))).default;
    } catch {
      // Code stays in one colour meanwhile.
    }
    return library;
  };

  /** Where which kind of stretch begins and ends, from the markup that highlight.js makes of the text. */
  const stretchesOf = (markup) => {
    const stretches = [];
    let at = 0;
    const walk = (node, kind) => {
      for (const child of node.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) {
          const end = at + child.data.length;
          if (kind) stretches.push([kind, at, end]);
          at = end;
          continue;
        }
        const name = [...child.classList].find((each) => each.startsWith('hljs-'))?.slice('hljs-'.length);
        walk(child, KINDS[name] ?? kind);
      }
    };
    walk(new DOMParser().parseFromString(markup, 'text/html').body, undefined);
    return stretches;
  };

  const stretches = (code, hljs) => {
    const text = code.textContent;
    const before = read.get(code);
    if (before?.text === text) return before.stretches;
    const { language } = code.parentElement.dataset;
    const isRead = text.length <= MAX_CHARS && !slow.has(language) && hljs.getLanguage(language);
    const begun = performance.now();
    const found = isRead ? stretchesOf(hljs.highlight(text, { language, ignoreIllegals: true }).value) : [];
    if (performance.now() - begun > MAX_MS) slow.add(language);
    read.set(code, { text, stretches: found });
    return found;
  };

  const paint = async () => {
    const blocks = [...document.querySelectorAll(BLOCKS)];
    if (blocks.length === 0) return;
    const hljs = await load();
    if (!hljs) return;
    const ranges = new Map([...new Set(Object.values(KINDS))].map((kind) => [kind, new Highlight()]));
    for (const code of blocks) {
      // The text of a block is one node.
      const text = code.firstChild;
      if (text?.nodeType !== Node.TEXT_NODE || text.data !== code.textContent) continue;
      // The page is drawn and pressed in between.
      if (read.get(code)?.text !== text.data) await new Promise((resume) => setTimeout(resume));
      for (const [kind, start, end] of stretches(code, hljs)) {
        const range = new StaticRange({ startContainer: text, startOffset: start, endContainer: text, endOffset: end });
        ranges.get(kind).add(range);
      }
    }
    for (const [kind, highlight] of ranges) highlights.set(`code-${kind}`, highlight);
  };

  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(paint, QUIET_MS);
  };
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true, characterData: true });
  soon();
})();
