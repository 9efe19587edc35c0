// The words of the reader's language, which the document has where that is not English.

const known = JSON.parse(document.getElementById('words')?.textContent ?? '{}');

export const t = (english) => known[english] ?? english;
