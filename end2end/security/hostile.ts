// Messages that no frame of ours would send. All carry the word FORGED, so that whoever takes one for
// real can be told. Each is JavaScript that makes the message, for most of them are not JSON.

export const FORGED = 'forged-0fd2';

const page = `{"head":"","body":"${FORGED}","html_attributes":{},"body_attributes":{},"listeners":[]}`;
const performed = (request: string) => `{"type":"performed","request":${request},"done":{"result":"${FORGED}","is_error":false,"page":${page}}}`;
const text = (json: string) => JSON.stringify(json);

export const HOSTILE_MESSAGES: Record<string, string> = {
  'nothing at all': 'undefined',
  'null': 'null',
  'a number': '42',
  'an object where text belongs': `({ type: 'notify', name: '${FORGED}', data: null })`,
  'an object that looks like text': `new String('{"type":"notify","name":"${FORGED}","data":null}')`,
  'an array of texts': `['{"type":"notify","name":"${FORGED}","data":null}']`,
  'bytes': `new TextEncoder().encode('{"type":"notify","name":"${FORGED}","data":null}')`,
  'a map': `new Map([['type', 'notify'], ['name', '${FORGED}']])`,
  'a blob': `new Blob(['${FORGED}'])`,
  'the empty text': "''",
  'text that is no JSON': text(FORGED),
  'JSON cut short': text(`{"type":"notify","name":"${FORGED}","da`),
  'JSON with something after it': text(`{"type":"notify","name":"${FORGED}","data":null} ${FORGED}`),
  'two messages in one': text(`{"type":"ready"}{"type":"notify","name":"${FORGED}","data":null}`),
  'a list of messages': text(`[{"type":"notify","name":"${FORGED}","data":null}]`),
  'a message without a type': text(`{"name":"${FORGED}","data":null}`),
  'a type that is a list': text(`{"type":["notify"],"name":"${FORGED}","data":null}`),
  'a type in capitals': text(`{"type":"Notify","name":"${FORGED}","data":null}`),
  'an unknown type': text(`{"type":"eval","code":"${FORGED}"}`),
  'a type of the hub’s wire': text(`{"type":"page_notify","agent":"${FORGED}","name":"${FORGED}","data":null}`),
  'a type of the shell’s': text(`{"type":"show","version":9,"page":${page},"state":{}}`),
  'a type of the loop frame’s': text(`{"type":"ask","ask":{"type":"append","text":"${FORGED}"}}`),
  'a type behind __proto__': text(`{"__proto__":{"type":"notify","name":"${FORGED}","data":null}}`),
  'a type behind constructor': text(`{"constructor":{"prototype":{"type":"notify"}},"name":"${FORGED}"}`),
  'two types': text(`{"type":"ready","type":"notify","name":"${FORGED}"}`),
  'a name that is no text': text(`{"type":"notify","name":{"toString":"${FORGED}"},"data":null}`),
  'a name that is missing': text(`{"type":"notify","data":"${FORGED}"}`),
  'a state key that is a list': text(`{"type":"set_state","key":["${FORGED}"],"value":1}`),
  'a want that nobody knows': text(`{"type":"request","id":1,"want":{"type":"eval","code":"${FORGED}"}}`),
  'a link that is a script': text(`{"type":"request","id":2,"want":{"type":"open_link","url":"javascript:alert('${FORGED}')"}}`),
  'a permission that is none': text(`{"type":"request","id":3,"want":{"type":"permission","name":"${FORGED}"}}`),
  'a request under a number that is none': text(`{"type":"request","id":"${FORGED}","want":{"type":"voices"}}`),
  'a picture that belongs the other way': `({ media: 1, samples: new Float32Array(9), rate: 1, name: '${FORGED}' })`,
  'an id that is negative': text(`{"type":"ask","id":-1,"text":"${FORGED}"}`),
  'an id that is a fraction': text(`{"type":"ask","id":1.5,"text":"${FORGED}"}`),
  'an id that is too large': text(`{"type":"ask","id":1e400,"text":"${FORGED}"}`),
  'an id that is text': text(`{"type":"ask","id":"1","text":"${FORGED}"}`),
  'the answer to a call that nobody made': text(performed('1')),
  'the answer to call number zero': text(performed('0')),
  'the answer to the last call there can be': text(performed('18446744073709551615')),
  'an answer without its page': text(`{"type":"performed","request":1,"done":{"result":"${FORGED}"}}`),
  'JSON as deep as a well': `'['.repeat(100000) + '"${FORGED}"'`,
  'half a character': `'{"type":"notify","data":"${FORGED}","na\\ud800'`,
  'more than the shell reads': `'{"type":"notify","name":"${FORGED}","data":"' + 'a'.repeat(5_000_000) + '"}'`,
};
