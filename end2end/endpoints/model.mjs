// A model provider for tests: a server of its own that speaks the real wires of Anthropic Messages
// and OpenAI chat completions on one port. What it says follows from the request alone (said.mjs).
//
//   node model.mjs [PORT]     or PORT in the environment; 0 or nothing takes any free port.
//   --near                    wants no key, as a server on one's own machine does
//   --cors                    lets pages of any origin read its answers
//   --attached                ends when its input does, and so with whoever started it
//   prints                    listening http://127.0.0.1:PORT
//   GET /requests             what it was asked: [{path, key, headers, body, used, ended}], oldest first
//   DELETE /requests          forgets it
//   POST /gate[?count=N]      lets the replies (or N of them) go on that wait at a gate, as soon as there is one
//
// It accepts `key-good`, and one that is as long as keys are; `key` says "good", "bad" or "none" in place of the header that
// carried it. `used` is {input, output}, the tokens that it told the caller of. `ended` is "whole", "error", "cut", or "aborted" when the caller hung up first; null while the
// answer is under way.

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as anthropic from './anthropic.mjs';
import * as gate from './gate.mjs';
import * as openai from './openai.mjs';
import { asideFor, turnFor } from './said.mjs';
import { Stream } from './stream.mjs';

const GOOD_KEYS = ['key-good', 'key-good-0123456789abcdef-0123456789'];
const IS_NEAR = process.argv.includes('--near');
const HAS_CORS = process.argv.includes('--cors');

const PAGE_HEADERS = 'content-type, authorization, x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access';

let requests = [];

const server = createServer((request, response) => {
  request.socket.setNoDelay(true);
  if (HAS_CORS && request.headers.origin) response.setHeader('access-control-allow-origin', request.headers.origin);
  route(request, response).catch(() => response.destroy());
});

async function route(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
  switch (`${request.method} ${pathname}`) {
    case 'GET /requests':
      return json(response, 200, requests);
    case 'DELETE /requests':
      requests = [];
      return response.writeHead(204).end();
    case 'POST /gate':
      await gate.open(Number(searchParams.get('count') ?? Infinity), response);
      return response.writeHead(204).end();
    case 'OPTIONS /v1/models':
    case 'OPTIONS /v1/messages':
    case 'OPTIONS /v1/chat/completions':
      if (HAS_CORS) response.setHeader('access-control-allow-headers', PAGE_HEADERS);
      return response.writeHead(204).end();
    case 'GET /v1/models': {
      const wire = 'x-api-key' in request.headers ? anthropic : openai;
      if (!IS_NEAR && !GOOD_KEYS.includes(wire.key(request.headers))) return refuse(response, wire, wire.refusals.key);
      return json(response, 200, wire.modelList());
    }
    case 'POST /v1/messages':
      return complete(request, response, anthropic, pathname);
    case 'POST /v1/chat/completions':
      return complete(request, response, openai, pathname);
    default:
      // What other wires ask for is kept, and not answered.
      if (request.method === 'POST') requests.push({ path: pathname, body: parse(await text(request)), ended: 'error' });
      return json(response, 404, { error: { message: `Nothing at ${pathname}.` } });
  }
}

async function complete(request, response, wire, path) {
  const raw = await text(request);
  const body = parse(raw);
  const record = { path, ...redact(wire, request.headers), body: body ?? raw, ended: null };
  requests.push(record);
  response.on('close', () => (record.ended ??= 'aborted'));

  const turn = answer(wire, request.headers, body);
  if (turn.status) {
    record.ended = 'error';
    return refuse(response, wire, turn);
  }
  const stream = Array.isArray(turn) ? new Stream(response) : null;
  record.used = stream?.used;
  const ended = stream ? await wire.reply(body, turn, stream) : turn;
  if (response.destroyed || ended === 'hang') return;
  record.ended = ended;
  if (ended === 'whole') response.end();
  else response.destroy();
}

function answer(wire, headers, body) {
  if (!IS_NEAR && !GOOD_KEYS.includes(wire.key(headers))) return wire.refusals.key;
  if (!body) return wire.refusals.request('The body is not JSON.');
  if (!wire.models.includes(body.model)) return wire.refusals.model(body.model);
  const fault = wire.fault(headers, body);
  if (fault) return wire.refusals.request(fault);
  const messages = wire.messages(body);
  return asideFor(wire.system(body), messages) ?? turnFor(messages, wire.key(headers));
}

function redact(wire, headers) {
  const key = GOOD_KEYS.includes(wire.key(headers)) ? 'good' : 'bad';
  const { [wire.keyHeader]: given, ...others } = headers;
  return { key: given === undefined ? 'none' : key, headers: others };
}

function refuse(response, wire, { status, type, message, code, retry_after }) {
  if (retry_after !== undefined) response.setHeader('retry-after', retry_after);
  json(response, status, wire.error(type, message, code));
}

function json(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function parse(raw) {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

if (process.argv.includes('--attached')) process.stdin.resume().once('end', () => process.exit());

const port = process.argv.slice(2).find((argument) => !argument.startsWith('--'));

server.listen(Number(port ?? process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${server.address().port}`);
});
