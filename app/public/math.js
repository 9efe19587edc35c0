// Formulas of messages, as the browser sets mathematics (MathML). What was written stays in the page as it is; the
// formula is shown in its place. What cannot be read stays as it was written, and so does all of it without a script.
(() => {
  'use strict';
  /** After so much quiet: an answer that is still being written is not set again with each word. */
  const QUIET_MS = 150;
  /** A longer formula stays as it was written. */
  const MAX_CHARS = 4_000;
  /** After a formula that took longer no other is read: somebody may have written it to take long. */
  const MAX_MS = 500;
  const FORMULAS = '[data-math]';
  const STYLES = `
    math { font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", math; line-height: normal; text-indent: 0; }
    math * { border-color: currentColor; }
    math.tml-display { display: block; }
    mtable.tml-jot mtd { padding-block: 0.7ex; }
    mtd { padding-inline: 0.4em; }
    .tml-left { text-align: left; }
    .tml-right { text-align: right; }
    .menclose { display: inline-block; position: relative; padding: 0.5ex 0; }
  `;

  const base = new URL('.', document.currentScript.src);
  let library;
  let sheet;
  let isSlow = false;
  /** By formula: its text when it was set. */
  const set = new WeakMap();

  /** `undefined` without a connection: with the next change it is tried again. */
  const load = async () => {
    try {
      library ??= (await import(new URL('temml.min.js', base))).default;
    } catch {
      // Formulas stay as they were written meanwhile.
    }
    return library;
  };

  /** A formula in place of its text, which stays where it is beneath. */
  const show = (formula, temml) => {
    const text = formula.textContent;
    if (set.get(formula) === text) return;
    set.set(formula, text);
    const room = document.createElement('span');
    const begun = performance.now();
    try {
      if (isSlow || text.length > MAX_CHARS) throw new Error('not read');
      const displayMode = formula.dataset.math === 'display';
      temml.render(text, room, { displayMode, throwOnError: true, trust: false, maxExpand: 200, annotate: false });
    } catch {
      room.replaceChildren(document.createElement('slot'));
    }
    isSlow ||= performance.now() - begun > MAX_MS;
    sheet ??= new CSSStyleSheet();
    if (sheet.cssRules.length === 0) sheet.replaceSync(STYLES);
    const shown = formula.shadowRoot ?? formula.attachShadow({ mode: 'open' });
    shown.adoptedStyleSheets = [sheet];
    shown.replaceChildren(...room.childNodes);
    formula.toggleAttribute('data-set', shown.querySelector('math') !== null);
  };

  const setAll = async () => {
    const formulas = [...document.querySelectorAll(FORMULAS)].filter((formula) => set.get(formula) !== formula.textContent);
    if (formulas.length === 0) return;
    const temml = await load();
    if (!temml) return;
    for (const formula of formulas) {
      // The page is drawn and pressed in between.
      await new Promise((resume) => setTimeout(resume));
      show(formula, temml);
    }
  };

  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(setAll, QUIET_MS);
  };
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true, characterData: true });
  soon();
})();
