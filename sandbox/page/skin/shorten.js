// Texts of bounded length, for lines and errors.

/**
 * @param {string} text
 * @param {number} length
 */
export function shorten(text, length) {
  if (text.length <= length) return text;
  let short = '';
  for (let i = 0; i < length - 1; i += 1) short += text[i];
  return `${short}…`;
}
