// What programs ask besides the conversation, by the makers' clients and by plain HTTP as frameworks and
// editors send it.

import Anthropic from '@anthropic-ai/sdk';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { World } from './world.mjs';

const MODELS = ['Chat/gpt-5-mini', 'Claude/claude-sonnet-4-5'];
const PLACE = { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'], additionalProperties: false };
const IN_FORM = 'turns: [[{"text":"{\\"at\\": 7}"}]]';
const TWICE = 'turns: [[{"tool":"look","input":{"at":7}},{"tool":"look","input":{"at":8}}]]';
const CUT = 'turns: [[{"text":"First words"},"cut"]]';

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
const asked = async () => (await (await fetch(`${world.endpoint}/requests`)).json()).at(-1).body;

for (const model of MODELS) {
  const isClaude = model.startsWith('Claude');
  const format = { type: 'json_schema', name: 'place', schema: PLACE, strict: true };

  /** The schema, wherever the provider has it. */
  const schemaOf = (body) => (isClaude ? body.output_config.format.schema : body.response_format.json_schema.schema);

  test(`structured answers of ${model}`, async () => {
    const { type, ...json_schema } = format;
    const chat = await openai.chat.completions.parse({
      model, messages: user(IN_FORM), response_format: { type, json_schema },
    });
    assert.deepEqual(chat.choices[0].message.parsed, { at: 7 });
    assert.deepEqual(schemaOf(await asked()), PLACE);
    const streamed = openai.chat.completions.stream({ model, messages: user(IN_FORM), response_format: { type, json_schema } });
    assert.deepEqual(JSON.parse((await streamed.finalChatCompletion()).choices[0].message.content), { at: 7 });
    const response = await openai.responses.parse({ model, input: IN_FORM, text: { format } });
    assert.deepEqual(response.output_parsed, { at: 7 });
    assert.deepEqual(response.text.format, format);
    assert.deepEqual(schemaOf(await asked()), PLACE);
    const message = await anthropic.messages.parse({
      model, max_tokens: 1000, messages: user(IN_FORM), output_config: { format: jsonSchemaOutputFormat(PLACE) },
    });
    assert.deepEqual(message.parsed_output, { at: 7 });
    assert.deepEqual(schemaOf(await asked()), PLACE);
    const older = await anthropic.beta.messages.create({
      model, max_tokens: 1000, messages: user(IN_FORM), betas: ['structured-outputs-2025-11-13'],
      output_format: { type: 'json_schema', schema: PLACE },
    });
    assert.equal(older.content[0].text, '{"at": 7}');
    assert.deepEqual(schemaOf(await asked()), PLACE);
  });

  test(`one call at a time of ${model}`, async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: PLACE, strict: true } }];
    const stream = openai.chat.completions.stream({ model, messages: user(TWICE), tools, parallel_tool_calls: false });
    const { message } = (await stream.finalChatCompletion()).choices[0];
    assert.deepEqual(message.tool_calls.map((call) => JSON.parse(call.function.arguments)), [{ at: 7 }]);
    const { content } = await anthropic.messages.create({
      model, max_tokens: 1000, messages: user(TWICE), tools: [{ name: 'look', input_schema: PLACE, strict: true }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    assert.deepEqual(content.map((block) => block.input), [{ at: 7 }]);
  });

  test(`an answer of ${model} that ends where the program said`, async () => {
    const text = 'turns: [[{"text":"One two END three"}]]';
    const chat = await openai.chat.completions.create({ model, messages: user(text), stop: [' END'], stream: true });
    const said = (await drained(chat)).map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    assert.equal(said, 'One two');
    const message = await anthropic.messages.create({ model, max_tokens: 100, messages: user(text), stop_sequences: [' END'] });
    assert.deepEqual([message.content[0].text, message.stop_reason, message.stop_sequence], ['One two', 'stop_sequence', ' END']);
  });

  test(`a framework asks ${model} over plain HTTP`, async () => {
    const { status, body } = await post('chat/completions', {
      model, messages: [{ role: 'system', content: 'Be brief.' }, ...user('Hello')], stream: false, n: 1,
      temperature: 0.7, top_p: 1, presence_penalty: 0, frequency_penalty: 0, logit_bias: {}, seed: 1234, stop: null,
      logprobs: false, response_format: { type: 'text' }, user: 'ada', metadata: { run: '1' }, store: false,
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: PLACE } }],
      tool_choice: { type: 'function', function: { name: 'look' } },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.choices[0].message.content, 'You said: Hello');
    const sent = await asked();
    assert.deepEqual(sent.tool_choice, isClaude ? { type: 'any' } : 'required');
    assert.deepEqual([sent.temperature, sent.seed], [0.7, isClaude ? undefined : 1234]);
  });

  test(`an editor asks ${model} as Claude Code does`, async () => {
    const cached = { cache_control: { type: 'ephemeral' } };
    const headers = {
      'anthropic-version': '2023-06-01', 'x-app': 'cli', 'user-agent': 'claude-cli/2.0.0 (external, cli)',
      'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
    };
    const { status, text, headers: answered } = await post('messages?beta=true', {
      model, max_tokens: 32_000, stream: true, metadata: { user_id: 'user_1_session_2' },
      system: [{ type: 'text', text: 'You are Claude Code.', ...cached }, { type: 'text', text: 'Be brief.' }],
      tools: [{ name: 'Bash', description: 'Runs it.', input_schema: PLACE, eager_input_streaming: true, ...cached }],
      thinking: { type: 'adaptive' }, output_config: { effort: 'high' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      messages: [
        { role: 'user', content: [{ type: 'text', text: '<system-reminder>As it is.</system-reminder>' }, { type: 'text', text: 'Look.' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { at: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a lamp' }], is_error: false, ...cached }, { type: 'text', text: 'Go on.', ...cached }] },
      ],
    }, headers);
    assert.equal(status, 200, text);
    assert.match(text, /^event: message_start\n/);
    assert.match(text, /event: message_stop\n/);
    assert.match(answered.get('request-id'), /^req_/);
    const { input_tokens } = (await post('messages/count_tokens?beta=true', { model, messages: user('Hello'), system: [] }, headers)).body;
    assert.ok(input_tokens > 0);
  });

  test(`an answer of ${model} that breaks off`, async () => {
    const chat = await openai.chat.completions.create({ model, messages: user(CUT), stream: true });
    await assert.rejects(drained(chat), OpenAI.APIError);
    const message = await anthropic.messages.create({ model, max_tokens: 100, messages: user(CUT), stream: true });
    await assert.rejects(drained(message), Anthropic.APIError);
    const response = await drained(await openai.responses.create({ model, input: CUT, stream: true }));
    const { type, response: last } = response.at(-1);
    assert.deepEqual([type, last.status, last.error.code], ['response.failed', 'failed', 'provider_failed']);
  });

  test(`files by address for ${model}`, async () => {
    // The hub fetches from public addresses only, and says so.
    const url = 'http://127.0.0.1:8080/picture.png';
    const calls = [
      () => openai.chat.completions.create({ model, messages: user([{ type: 'image_url', image_url: { url } }]) }),
      () => openai.responses.create({ model, input: user([{ type: 'input_image', image_url: url, detail: 'auto' }]) }),
      () => anthropic.messages.create({ model, max_tokens: 10, messages: user([{ type: 'image', source: { type: 'url', url } }]) }),
      () => anthropic.messages.create({ model, max_tokens: 10, messages: user([{ type: 'document', source: { type: 'url', url } }]) }),
    ];
    for (const call of calls) {
      const error = await call().then(() => assert.fail('it answers'), (error) => error);
      assert.ok(error instanceof OpenAI.BadRequestError || error instanceof Anthropic.BadRequestError, error.message);
      assert.match(error.message, /is not a public address: send the file itself/);
    }
  });
}

test('what cannot be had is refused in words, with an id', async () => {
  const claude = MODELS[1];
  const calls = [
    [() => openai.embeddings.create({ model: MODELS[0], input: 'Hello' }), OpenAI.NotFoundError, /nothing here for POST \/v1\/embeddings/],
    [() => openai.chat.completions.create({ model: claude, messages: user('Hi'), presence_penalty: 1 }), OpenAI.BadRequestError, /Anthropic has no presence_penalty/],
    [() => openai.chat.completions.create({ model: claude, messages: user('Hi'), logprobs: true }), OpenAI.BadRequestError, /logprobs/],
    [() => openai.chat.completions.create({ model: claude, messages: user('Hi'), colour: 'red' }), OpenAI.BadRequestError, /Unrecognized request argument supplied: colour/],
    [() => openai.responses.create({ model: claude, input: 'Hi', background: true }), OpenAI.BadRequestError, /background/],
    [() => anthropic.messages.create({ model: claude, max_tokens: 10, messages: user('Hi'), colour: 'red' }), Anthropic.BadRequestError, /colour: Extra inputs are not permitted/],
    [() => anthropic.messages.batches.create({ requests: [] }), Anthropic.NotFoundError, /nothing here for POST/],
  ];
  for (const [call, kind, words] of calls) {
    const error = await call().then(() => assert.fail(`${words}: it answers`), (error) => error);
    assert.ok(error instanceof kind, `${error.constructor.name} ${error.message}`);
    assert.match(error.message, words);
    assert.match(error.requestID, /^req_/);
  }
});

async function post(path, body, headers = {}) {
  const { VIVARIUM: hub, VIVARIUM_TOKEN: token } = world.env;
  const answer = await fetch(`${hub}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: body.stream ? null : JSON.parse(text) };
}

async function drained(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}
