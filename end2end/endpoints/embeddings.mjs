// A server that says what texts mean, in the shape that OpenAI documents (https://platform.openai.com/docs/api-reference/embeddings).
// Written from the documentation. What a text means is how much it speaks of each of a few things, by words that it knows;
// another model has them in another order, and one number more.
//
// `GET /requests` gives what was asked, the oldest first; `POST /mode` with `{"mode": "fails"}` lets it refuse, with
// `{"mode": "waits"}` never answer what comes, with `{"mode": "hangs up"}` hang up, and with `{"mode": "answers"}` answer
// again.

import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const KEY = 'key-good-0123456789abcdef-0123456789';
const THINGS = [
  ['piano', 'music', 'musical', 'instrument', 'violin', 'sonata'],
  ['lisbon', 'porto', 'city', 'abroad', 'portugal'],
  ['tea', 'coffee', 'drink', 'beverage'],
  ['fern', 'ferns', 'moss', 'plant', 'plants', 'garden'],
];

const requests = [];
let mode = 'answers';

function meaning(model, text) {
  const words = text.toLowerCase().split(/\W+/);
  const numbers = THINGS.map((thing) => words.filter((word) => thing.includes(word)).length + 0.001);
  return model === 'backwards' ? [...numbers.reverse(), 0.001] : numbers;
}

const refused = (status, message) => ({ status, body: { error: { message, type: 'invalid_request_error' } } });

function embed({ model, input, encoding_format }) {
  const texts = Array.isArray(input) ? input : [input];
  const tokens = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  const key = requests.push({ model, input: texts, encoding_format, tokens, mode });
  if (mode === 'fails') return refused(500, `The server had an error while it processed request ${key}.`);
  if (mode === 'waits') return new Promise(() => {});
  if (mode === 'hangs up') return { hangsUp: true };
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: meaning(model, text) }));
  return { status: 200, body: { object: 'list', model, data: data.reverse(), usage: { prompt_tokens: tokens, total_tokens: tokens } } };
}

async function answer(request) {
  const body = await buffer(request);
  const path = new URL(request.url, 'http://x').pathname;
  if (path === '/requests') return { status: 200, body: requests };
  if (path === '/mode') {
    ({ mode } = JSON.parse(body));
    return { status: 200, body: {} };
  }
  if (request.headers.authorization !== `Bearer ${KEY}`) return refused(401, 'Incorrect API key provided.');
  if (path === '/v1/embeddings') return embed(JSON.parse(body));
  return refused(404, 'There is nothing here.');
}

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body, hangsUp }) => {
      if (hangsUp) return response.destroy();
      response.writeHead(status, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(body));
    },
    (error) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    },
  );
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${server.address().port}`);
});
