import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { after, before, beforeEach, test } from 'node:test';

let server;
let base;

before(async () => {
  server = spawn(process.execPath, [new URL('./model.mjs', import.meta.url).pathname, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(server.stdout), 'line');
  base = line.replace('listening ', '');
});
after(() => server.kill());
beforeEach(() => fetch(`${base}/requests`, { method: 'DELETE' }));

const user = (content) => ({ role: 'user', content });

test('a reply on the Anthropic wire is framed as documented', async () => {
  const { status, events } = await anthropic([user('script: hello')]);
  assert.equal(status, 200);
  assert.deepEqual([...new Set(events.map((event) => event.type))], [
    'message_start', 'content_block_start', 'ping', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop',
  ]);
  assert.equal(spoken(events), 'Hello! Grüße an alle 🌿 — I am a scripted model.');
  assert.equal(events.at(-2).delta.stop_reason, 'end_turn');
});

test('a reply on the OpenAI wire is framed as documented', async () => {
  const { status, events, raw } = await openai([user('script: hello')], { stream_options: { include_usage: true } });
  assert.equal(status, 200);
  assert.equal(spoken(events), 'Hello! Grüße an alle 🌿 — I am a scripted model.');
  assert.equal(events.at(-2).choices[0].finish_reason, 'stop');
  assert.ok(events.at(-1).usage.total_tokens > 0);
  assert.ok(raw.toString().endsWith('data: [DONE]\n\n'));
});

test('pieces are cut inside UTF-8 sequences', async () => {
  const { pieces } = await anthropic([user('script: hello')]);
  const broken = pieces.filter((piece) => piece.toString().includes('\ufffd'));
  assert.notEqual(broken.length, 0);
});

test('without a script the message comes back', async () => {
  const { events } = await anthropic([user('Good morning')]);
  assert.equal(spoken(events), 'You said: Good morning');
});

test('each reply moves the script on, and the next message goes to its successor', async () => {
  const talk = [user('Please.\nscript: draw')];
  const seen = [];
  for (let turn = 0; turn < 3; turn += 1) seen.push(await anthropicTurn(talk));
  talk.push(user('click on #go'));
  for (let turn = 0; turn < 2; turn += 1) seen.push(await anthropicTurn(talk));
  assert.deepEqual(seen, [
    'I will draw a page with a button. dom:create', 'dom:listen', 'The page is drawn. Press Go.',
    'dom:modify', 'The page told me: click on #go',
  ]);
});

test('tool calls stream by index on the OpenAI wire, and their results can be quoted', async () => {
  const asked = [user('script: tools')];
  const { events } = await openai(asked);
  const calls = toolCalls(events);
  assert.deepEqual(calls.map((call) => [call.function.name, JSON.parse(call.function.arguments).action]), [['state', 'set'], ['storage', 'set']]);
  const answers = (results) => [{ role: 'assistant', tool_calls: calls }, ...calls.map(({ id }, at) => ({ role: 'tool', tool_call_id: id, content: results[at] }))];
  const last = await openai([...asked, ...answers(['1', '2']), ...answers(['3', '4'])]);
  assert.equal(spoken(last.events), 'The tools answered:\n\n1\n2\n3\n4');
});

test('what a provider refuses is refused in its shape', async () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'dom', input: {} }] };
  const openCall = { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'dom', arguments: '{}' } }] };
  const table = [
    [anthropic([user('Hi')], {}, { 'x-api-key': 'key-bad' }), 401, 'authentication_error'],
    [anthropic([user('Hi')], { model: 'claude-none' }), 404, 'not_found_error'],
    [anthropic([user('Hi')], { max_tokens: undefined }), 400, 'invalid_request_error'],
    [anthropic([user('Hi')], {}, { 'anthropic-version': '' }), 400, 'invalid_request_error'],
    [anthropic([user('')]), 400, 'invalid_request_error'],
    [anthropic([user('Hi'), call, user('and?')]), 400, 'invalid_request_error'],
    [anthropic([user('script: fail529')]), 529, 'overloaded_error'],
    [openai([user('Hi')], {}, { authorization: 'Bearer key-bad' }), 401, 'invalid_api_key'],
    [openai([user('Hi')], { model: 'gpt-none' }), 404, 'model_not_found'],
    [openai([user('Hi'), openCall, user('and?')]), 400, 'invalid_request_error'],
  ];
  for (const [answer, status, kind] of table) {
    const { status: got, raw } = await answer;
    const { error } = JSON.parse(raw);
    assert.deepEqual([got, error.code ?? error.type], [status, kind]);
  }
});

test('a cut reply breaks off in the middle', async () => {
  const { events, broken } = await anthropic([user('script: cut')]);
  assert.equal(broken, true);
  assert.equal(spoken(events), 'This sentence is never');
  assert.deepEqual((await recorded()).map((entry) => entry.ended), ['cut']);
});

test('a reply waits at its gate until it is let go on', { timeout: 10_000 }, async () => {
  const reply = anthropic([user('script: halves')]);
  // This is only answered when a reply has come to its gate.
  await fetch(`${base}/gate`, { method: 'POST' });
  assert.match(spoken((await reply).events), /and after the gate/);
});

test('a caller who hangs up is recorded as such', { timeout: 10_000 }, async () => {
  const { hangUp } = await post('/v1/messages', anthropicBody([user('script: hang')]), ANTHROPIC, { until: 'moment' });
  hangUp();
  while ((await recorded())[0].ended === null);
  assert.equal((await recorded())[0].ended, 'aborted');
});

test('requests are recorded without the key', async () => {
  await anthropic([user('Hi')]);
  await openai([user('Hi')], {}, { authorization: 'Bearer key-bad' });
  const entries = await recorded();
  assert.deepEqual(entries.map(({ path, key, ended }) => [path, key, ended]), [
    ['/v1/messages', 'good', 'whole'], ['/v1/chat/completions', 'bad', 'error'],
  ]);
  assert.equal(entries[0].body.messages[0].content, 'Hi');
  assert.doesNotMatch(JSON.stringify(entries), /key-/);
});

test('models are listed for whoever has the key', async () => {
  const list = async (headers) => {
    const answer = await fetch(`${base}/v1/models`, { headers });
    return [answer.status, (await answer.json()).data?.[0].id];
  };
  assert.deepEqual(await list({ 'x-api-key': 'key-good' }), [200, 'claude-sonnet-4-5']);
  assert.deepEqual(await list({ authorization: 'Bearer key-good' }), [200, 'gpt-5-mini']);
  assert.deepEqual(await list({}), [401, undefined]);
});

const ANTHROPIC = { 'x-api-key': 'key-good', 'anthropic-version': '2023-06-01' };
const OPENAI = { authorization: 'Bearer key-good' };

function anthropicBody(messages, rest = {}) {
  return { model: 'claude-sonnet-4-5', max_tokens: 1024, stream: true, messages, ...rest };
}

function anthropic(messages, rest, headers = {}) {
  return post('/v1/messages', anthropicBody(messages, rest), { ...ANTHROPIC, ...headers });
}

function openai(messages, rest = {}, headers = {}) {
  return post('/v1/chat/completions', { model: 'gpt-5-mini', stream: true, messages, ...rest }, { ...OPENAI, ...headers });
}

/** Takes one turn, adds the reply and its tools' results to `talk`, and says what the turn was. */
async function anthropicTurn(talk) {
  const { events } = await anthropic(talk);
  const content = events.filter((event) => event.type === 'content_block_start').map(({ index, content_block }) => {
    const deltas = events.filter((event) => event.type === 'content_block_delta' && event.index === index).map((event) => event.delta);
    return content_block.type === 'text'
      ? { type: 'text', text: deltas.map((delta) => delta.text).join('') }
      : { ...content_block, input: JSON.parse(deltas.map((delta) => delta.partial_json).join('')) };
  });
  talk.push({ role: 'assistant', content });
  const results = content.filter((block) => block.type === 'tool_use').map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }));
  if (results.length) talk.push(user(results));
  return content.map((block) => block.text ?? `${block.name}:${block.input.action}`).join(' ');
}

function toolCalls(events) {
  const calls = [];
  for (const { index, ...part } of events.flatMap((event) => event.choices[0]?.delta.tool_calls ?? [])) {
    if (part.id) calls[index] = part;
    else calls[index].function.arguments += part.function.arguments;
  }
  return calls;
}

function spoken(events) {
  return events.map((event) => event.delta?.text ?? event.choices?.[0]?.delta.content ?? '').join('');
}

async function recorded() {
  return (await fetch(`${base}/requests`)).json();
}

/** Posts and reads to the end, or until the answer holds `until`. */
function post(path, body, headers, { until } = {}) {
  return new Promise((resolve, reject) => {
    const call = request(base + path, { method: 'POST', headers }, (answer) => {
      const pieces = [];
      const finish = (broken) => {
        const raw = Buffer.concat(pieces);
        resolve({ status: answer.statusCode, raw, pieces, broken, events: eventsOf(raw), hangUp: () => call.destroy() });
      };
      answer.on('data', (piece) => {
        pieces.push(piece);
        if (until && Buffer.concat(pieces).includes(until)) finish(false);
      });
      answer.on('end', () => finish(false));
      answer.on('error', () => finish(true));
    });
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}

function eventsOf(raw) {
  return raw.toString().split('\n\n').map((event) => /^data: (\{.*\})$/m.exec(event)?.[1]).filter(Boolean).map((text) => JSON.parse(text));
}
