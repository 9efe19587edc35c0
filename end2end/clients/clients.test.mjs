// The makers' own clients against the real program: JavaScript here, Python in clients.py. What a model
// says follows from the request (endpoints/said.mjs).

import Anthropic from '@anthropic-ai/sdk';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { World } from './world.mjs';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const MODELS = ['Chat/gpt-5-mini', 'Claude/claude-sonnet-4-5'];
const LOOK = { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] };
const CALLS = 'turns: [[{"tool":"look","input":{"at":7}}],[{"text":"It says {results}"}]]';
const HANGS = 'turns: [[{"text":"First words"},"hang"]]';
const LIMITED = 'turns: [{"status":429,"type":"rate_limit_error","message":"Slow down.","retry_after":"1"}]';

let world;
let openai;
let anthropic;

before(async () => {
  world = await World.start();
  const { VIVARIUM: hub, VIVARIUM_TOKEN: token } = world.env;
  openai = new OpenAI({ baseURL: `${hub}/v1`, apiKey: token, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: hub, apiKey: token, maxRetries: 0 });
});
after(() => world?.end());

const user = (content) => [{ role: 'user', content }];
const asked = async () => (await fetch(`${world.endpoint}/requests`)).json();

test('Python', { timeout: 120_000 }, async () => {
  const python = process.env.CLIENTS_PYTHON ?? join(import.meta.dirname, '.venv/bin/python');
  const child = spawn(python, [join(import.meta.dirname, 'clients.py')], {
    env: { ...process.env, ...world.env },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, 'the suite in Python fails');
});

for (const model of MODELS) {
  test(`chat completions of ${model}`, async () => {
    const whole = await openai.chat.completions.create({ model, messages: user('Hello') });
    assert.equal(whole.choices[0].message.content, 'You said: Hello');
    assert.equal(whole.choices[0].finish_reason, 'stop');
    assert.ok(whole.usage.total_tokens > 0);

    let said = '';
    let usage;
    const stream = await openai.chat.completions.create({
      model, messages: user('Hello again'), stream: true, stream_options: { include_usage: true },
    });
    for await (const chunk of stream) {
      said += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    assert.equal(said, 'You said: Hello again');
    assert.ok(usage.completion_tokens > 0);
  });

  test(`tools in chat completions of ${model}`, async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: LOOK } }];
    const messages = user(CALLS);
    const first = await openai.chat.completions.create({ model, messages, tools });
    assert.equal(first.choices[0].finish_reason, 'tool_calls');
    const [call] = first.choices[0].message.tool_calls;
    assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ['look', { at: 7 }]);
    const second = await openai.chat.completions.create({
      model, tools, messages: [...messages, first.choices[0].message, { role: 'tool', tool_call_id: call.id, content: 'a lamp' }],
    });
    assert.equal(second.choices[0].message.content, 'It says a lamp');

    const runner = openai.chat.completions.stream({ model, messages, tools });
    const final = await runner.finalChatCompletion();
    assert.deepEqual(JSON.parse(final.choices[0].message.tool_calls[0].function.arguments), { at: 7 });
  });

  test(`responses of ${model}`, async () => {
    const whole = await openai.responses.create({ model, input: 'Hello' });
    assert.equal(whole.output_text, 'You said: Hello');
    const final = await openai.responses.stream({ model, input: 'Hello again' }).finalResponse();
    assert.equal(final.output_text, 'You said: Hello again');
    assert.ok(final.usage.total_tokens > 0);

    const tools = [{ type: 'function', name: 'look', parameters: LOOK, strict: false }];
    const first = await openai.responses.create({ model, input: user(CALLS), tools });
    const call = first.output.find((item) => item.type === 'function_call');
    assert.deepEqual(JSON.parse(call.arguments), { at: 7 });
    const input = [...user(CALLS), ...first.output, { type: 'function_call_output', call_id: call.call_id, output: 'a lamp' }];
    const second = await openai.responses.create({ model, input, tools });
    assert.equal(second.output_text, 'It says a lamp');
  });

  test(`messages of ${model}`, async () => {
    const whole = await anthropic.messages.create({ model, max_tokens: 1000, messages: user('Hello') });
    assert.equal(whole.content[0].text, 'You said: Hello');
    assert.equal(whole.stop_reason, 'end_turn');
    const final = await anthropic.messages.stream({ model, max_tokens: 1000, messages: user('Hello again') }).finalMessage();
    assert.equal(final.content[0].text, 'You said: Hello again');
    assert.ok(final.usage.output_tokens > 0);

    const tools = [{ name: 'look', input_schema: LOOK }];
    const messages = user(CALLS);
    const first = await anthropic.messages.stream({ model, max_tokens: 1000, messages, tools }).finalMessage();
    const call = first.content.find((block) => block.type === 'tool_use');
    assert.deepEqual([first.stop_reason, call.input], ['tool_use', { at: 7 }]);
    const result = { type: 'tool_result', tool_use_id: call.id, content: 'a lamp' };
    const second = await anthropic.messages.create({
      model, max_tokens: 1000, tools, messages: [...messages, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }],
    });
    assert.equal(second.content[0].text, 'It says a lamp');
  });

  test(`images to ${model}`, async () => {
    const url = `data:image/png;base64,${PIXEL}`;
    await openai.chat.completions.create({
      model, messages: user([{ type: 'text', text: 'See' }, { type: 'image_url', image_url: { url } }]),
    });
    assert.ok(JSON.stringify((await asked()).at(-1).body).includes(PIXEL));
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL };
    await anthropic.messages.create({ model, max_tokens: 10, messages: user([{ type: 'image', source }, { type: 'text', text: 'See' }]) });
    assert.ok(JSON.stringify((await asked()).at(-1).body).includes(PIXEL));
    await openai.responses.create({ model, input: user([{ type: 'input_image', image_url: url, detail: 'auto' }]) });
    assert.ok(JSON.stringify((await asked()).at(-1).body).includes(PIXEL));
  });

  test(`an answer of ${model} that is given up`, async () => {
    const chat = await openai.chat.completions.create({ model, messages: user(HANGS), stream: true });
    for await (const chunk of chat) if (chunk.choices[0]?.delta.content?.includes('words')) break;
    await until(async () => (await asked()).at(-1).ended === 'aborted');
    const message = anthropic.messages.stream({ model, max_tokens: 10, messages: user(HANGS) });
    for await (const event of message) if (event.delta?.text?.includes('words')) break;
    message.abort();
    await until(async () => (await asked()).at(-1).ended === 'aborted');
  });
}

test('the list of models', async () => {
  const names = [];
  for await (const model of openai.models.list()) names.push(model.id);
  for (const model of MODELS) assert.ok(names.includes(model), `${model} is not in ${names}`);
  assert.equal((await openai.models.retrieve(MODELS[0])).id, MODELS[0]);
  const same = [];
  for await (const model of anthropic.models.list()) same.push(model.id);
  assert.deepEqual(same, names);
  const count = await anthropic.messages.countTokens({ model: MODELS[0], messages: user('Hello') });
  assert.ok(count.input_tokens > 0);
});

test('errors have the classes of their clients', async () => {
  const { VIVARIUM: hub, VIVARIUM_POOR_TOKEN: poor } = world.env;
  const strangers = [
    new OpenAI({ baseURL: `${hub}/v1`, apiKey: 'viv_wrong', maxRetries: 0 }),
    new Anthropic({ baseURL: hub, apiKey: 'viv_wrong', maxRetries: 0 }),
  ];
  const spenders = [
    // Clients that may try again do not, where it cannot help.
    new OpenAI({ baseURL: `${hub}/v1`, apiKey: poor, maxRetries: 5 }),
    new Anthropic({ baseURL: hub, apiKey: poor, maxRetries: 5 }),
  ];
  const claude = MODELS[1];
  await refused([openai, anthropic], 'Chat/none', 'Hello', [OpenAI.NotFoundError, 404], [Anthropic.NotFoundError, 404]);
  await refused(strangers, claude, 'Hello', [OpenAI.AuthenticationError, 401], [Anthropic.AuthenticationError, 401]);
  await refused(spenders, claude, 'Hello', [OpenAI.RateLimitError, 429], [Anthropic.APIError, 402]);
  await refused([openai, anthropic], 'Down/claude-sonnet-4-5', 'Hello', [OpenAI.InternalServerError, 502], [Anthropic.InternalServerError, 502]);
  await refused([openai, anthropic], 'Errors/claude-sonnet-4-5', 'script: fail529', [OpenAI.InternalServerError, 503], [Anthropic.InternalServerError, 529]);
  const limited = await refused([openai, anthropic], 'Slow/claude-sonnet-4-5', LIMITED, [OpenAI.RateLimitError, 429], [Anthropic.RateLimitError, 429]);
  for (const error of limited) assert.ok(Number(error.headers.get('retry-after')) >= 1);
  await assert.rejects(openai.chat.completions.create({ model: claude, messages: [] }), OpenAI.BadRequestError);
  await assert.rejects(anthropic.messages.create({ model: claude, max_tokens: 10, messages: [] }), Anthropic.BadRequestError);
});

test('a client tries again by itself where it helps', async () => {
  const before = (await asked()).length;
  const patient = openai.withOptions({ maxRetries: 1 });
  await assert.rejects(patient.chat.completions.create({ model: 'Slow/claude-sonnet-4-5', messages: user(LIMITED) }), OpenAI.RateLimitError);
  assert.equal((await asked()).length, before + 2);
});

/** Asks both clients, and gives the errors that they throw. */
async function refused([openai, anthropic], model, text, ofOpenAi, ofAnthropic) {
  const calls = [
    [() => openai.chat.completions.create({ model, messages: user(text) }), ofOpenAi],
    [() => openai.responses.create({ model, input: text, stream: true }), ofOpenAi],
    [() => anthropic.messages.create({ model, max_tokens: 1000, messages: user(text) }), ofAnthropic],
  ];
  const errors = [];
  for (const [call, [kind, status]] of calls) {
    const error = await call().then(() => assert.fail(`${model} answers`), (error) => error);
    assert.ok(error instanceof kind, `${model}: ${error.constructor.name} ${error.message}`);
    assert.equal(error.status, status, error.message);
    errors.push(error);
  }
  return errors;
}

async function until(done) {
  const deadline = Date.now() + 20_000;
  while (!(await done())) {
    assert.ok(Date.now() < deadline, 'it took more than 20 seconds');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
