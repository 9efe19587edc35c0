// What never changes of a view becomes elements out of HTML of ours. No other text becomes HTML, and none
// becomes script, or a script's address but for that of the worker beside the pages.
(() => {
  const live =
    /<\s*(?:script|iframe|frame|object|embed|applet|base|meta|link|style|template|math|foreignobject|animate|set)\b|[\s"'/]on[a-z]+\s*=|srcdoc\s*=|javascript:/i;
  window.trustedTypes?.createPolicy('default', {
    createHTML: (text) => (live.test(text) ? null : text),
    createScriptURL: (address) => (/^\/service-worker\.js(?:\?keep)?$/.test(address) ? address : null),
  });
})();
