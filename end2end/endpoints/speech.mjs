// A server that hears and speaks in the shape that OpenAI documents (https://platform.openai.com/docs/api-reference/audio):
// sound comes as a part of a form, which is really read, and goes out as a real WAV, as some servers send whatever format
// is asked for. Written from the documentation; it hears what a test says that it does.
//
// `POST /next` with `{"words": ["Hello"], "seconds": 2}` says what is heard next and how long what is spoken is;
// `GET /requests` gives what was asked, the oldest first. Models: `echo` gives back the key that came, `silent` answers
// with JSON where sound is wanted, `tokens` counts tokens in place of seconds, `waits` never answers, `gone` hangs up.

import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const KEY = 'key-good-0123456789abcdef-0123456789';
const RATE = 8000;
const MAGIC = [
  ['webm', Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), 0],
  ['ogg', Buffer.from('OggS'), 0],
  ['wav', Buffer.from('RIFF'), 0],
  ['mp4', Buffer.from('ftyp'), 4],
];

const requests = [];
let words = [];
let seconds = 0.3;

/** A tone. */
function wav() {
  const samples = Math.round(RATE * seconds);
  const sound = Buffer.alloc(44 + 2 * samples);
  sound.write('RIFF', 0);
  sound.writeUInt32LE(36 + 2 * samples, 4);
  sound.write('WAVEfmt ', 8);
  sound.writeUInt32LE(16, 16);
  sound.writeUInt16LE(1, 20);
  sound.writeUInt16LE(1, 22);
  sound.writeUInt32LE(RATE, 24);
  sound.writeUInt32LE(2 * RATE, 28);
  sound.writeUInt16LE(2, 32);
  sound.writeUInt16LE(16, 34);
  sound.write('data', 36);
  sound.writeUInt32LE(2 * samples, 40);
  for (let at = 0; at < samples; at += 1) {
    sound.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / RATE)), 44 + 2 * at);
  }
  return sound;
}

/** What some models do in place of an answer. */
const UNANSWERED = { waits: () => new Promise(() => {}), gone: () => ({ hangsUp: true }) };

const refused = (status, message) => ({ status, body: { error: { message, type: 'invalid_request_error' } } });

async function hear(request, body) {
  const form = await new Response(body, { headers: { 'content-type': request.headers['content-type'] } }).formData();
  const [model, file] = [form.get('model'), form.get('file')];
  if (typeof model !== 'string' || !model) return refused(400, 'you must provide a model parameter');
  if (!file || typeof file === 'string') return refused(400, 'you must provide a file');
  const bytes = Buffer.from(await file.arrayBuffer());
  const kind = MAGIC.find(([, magic, at]) => bytes.subarray(at, at + magic.length).equals(magic))?.[0];
  requests.push({ path: '/v1/audio/transcriptions', model, name: file.name, type: file.type, bytes: bytes.length, kind });
  if (!kind || !file.name.endsWith(kind)) return refused(400, `Invalid file format: ${file.name} holds ${kind}`);
  if (UNANSWERED[model]) return UNANSWERED[model]();
  if (model === 'echo') return refused(400, `Nothing is heard with ${request.headers.authorization}`);
  const usage = model === 'tokens' ? { type: 'tokens', input_tokens: 50, output_tokens: 5 } : { type: 'duration', seconds: 3 };
  return { status: 200, body: { text: words.shift() ?? 'Water the ferns.', usage } };
}

function speak(body) {
  const { model, voice, input, response_format } = JSON.parse(body);
  requests.push({ path: '/v1/audio/speech', model, voice, input, response_format });
  if (!model || !voice || !input) return refused(400, 'model, voice and input are required');
  if (UNANSWERED[model]) return UNANSWERED[model]();
  if (model === 'silent') return { status: 200, body: { text: input } };
  return { status: 200, body: wav() };
}

async function answer(request) {
  const body = await buffer(request);
  const path = new URL(request.url, 'http://x').pathname;
  if (path === '/requests') return { status: 200, body: requests };
  if (path === '/next') {
    const next = JSON.parse(body);
    words = next.words ?? words;
    seconds = next.seconds ?? seconds;
    return { status: 200, body: {} };
  }
  if (request.headers.authorization !== `Bearer ${KEY}`) return refused(401, 'Incorrect API key provided.');
  if (path === '/v1/models') return { status: 200, body: { data: [{ id: 'whisper-1' }, { id: 'tts-1' }] } };
  if (path === '/v1/audio/transcriptions') return hear(request, body);
  if (path === '/v1/audio/speech') return speak(body);
  return refused(404, 'There is nothing here.');
}

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body, hangsUp }) => {
      if (hangsUp) return response.destroy();
      const isSound = Buffer.isBuffer(body);
      response.writeHead(status, { 'content-type': isSound ? 'audio/wav' : 'application/json' });
      return response.end(isSound ? body : JSON.stringify(body));
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
