// A push service with the browsers behind it, and a place for webhooks, topics and rooms of Matrix. It reads what browsers would
// (RFC 8291), believes who sends it (RFC 8292), and tells of everything that came.

import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';

const CURVE = 'prime256v1';
const MATRIX = /\/_matrix\/client\/v3\/rooms\/[^/]+\/send\/m\.room\.message\/[^/]+$/;
const base64 = (bytes) => Buffer.from(bytes).toString('base64url');

/** Subscriptions by their path. */
const browsers = new Map();
const received = [];
/** How often something came to a path. */
const counts = new Map();

function subscribe(origin, answers) {
  const ecdh = createECDH(CURVE);
  const [publicKey, auth] = [ecdh.generateKeys(), randomBytes(16)];
  const path = `/push/${base64(randomBytes(8))}`;
  browsers.set(path, { ecdh, publicKey, auth, answers });
  return { endpoint: `${origin}${path}`, p256dh: base64(publicKey), auth: base64(auth) };
}

function derive(secret, salt, info, length) {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

/** The one record of a message. */
function decrypt({ ecdh, publicKey, auth }, body) {
  const [salt, size, keyLength] = [body.subarray(0, 16), body.readUInt32BE(16), body[20]];
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (record.length > size) throw new Error(`a record of ${record.length} bytes, and ${size} were announced`);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
  const shared = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('the record is not the last one');
  return JSON.parse(padded.subarray(0, end).toString());
}

/** Who sends it, by its token. */
function sender(header, origin) {
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(header);
  const [head, claims, signature] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: base64(point.subarray(1, 33)), y: base64(point.subarray(33)) };
  const signed = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' };
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))) {
    throw new Error('the token is signed by somebody else');
  }
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString());
  if (said.aud !== origin) throw new Error(`the token is for ${said.aud}`);
  return { key, sub: said.sub };
}

/** What is said to what came to this path: the answers in their order, the last one again and again. */
function next(path, answers) {
  const count = counts.get(path) ?? 0;
  counts.set(path, count + 1);
  return Number(answers[Math.min(count, answers.length - 1)]);
}

/** What a server of Matrix says. Of the first message the answer is lost; by its name it is known again. */
function inRoom(path, authorization) {
  if (authorization !== 'Bearer syt_canary') return [401, { errcode: 'M_UNKNOWN_TOKEN' }];
  return next(path, [503, 200]) === 503 ? [503, null] : [200, { event_id: `$${path}` }];
}

async function read(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

const server = createServer(async (request, response) => {
  const origin = `http://${request.headers.host}`;
  const { pathname, searchParams } = new URL(request.url, origin);
  const answers = (searchParams.get('answers') ?? '201').split(',');
  const body = await read(request);
  const say = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (request.method === 'GET' && pathname === '/received') return say(200, received);
  if (pathname === '/subscribe') return say(200, subscribe(origin, answers));
  const { headers } = request;
  const browser = browsers.get(pathname);
  try {
    if (browser) {
      const message = decrypt(browser, body);
      const { ttl, urgency, topic } = headers;
      received.push({ path: pathname, ttl, urgency, topic, length: body.length, ...sender(headers.authorization, origin), message });
      return say(next(pathname, browser.answers), null);
    }
    if (request.method === 'PUT' && MATRIX.test(pathname)) {
      received.push({ path: pathname, method: request.method, headers, body: body.toString() });
      return say(...inRoom(pathname, headers.authorization));
    }
    received.push({ path: pathname, headers, body: body.toString() });
    return say(next(pathname, answers), null);
  } catch (error) {
    received.push({ path: pathname, error: String(error) });
    return say(400, String(error));
  }
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${server.address().port}`);
});
