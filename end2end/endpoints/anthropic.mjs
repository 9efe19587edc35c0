// Anthropic Messages, as documented at docs.anthropic.com/en/api/messages and .../messages-streaming.
//
// POST /v1/messages with the headers `x-api-key` and `anthropic-version`; the body names `model`,
// `max_tokens`, `messages` and `stream: true`. The answer is a stream of named events:
// message_start, then per block content_block_start, content_block_delta (text_delta or
// input_json_delta), content_block_stop, with pings anywhere, then message_delta with the stop reason
// and usage, then message_stop. An error is {type: "error", error: {type, message}}.

import { tokens } from './stream.mjs';

export const models = ['claude-sonnet-4-5', 'claude-haiku-4-5', 'model-without-price'];

export const keyHeader = 'x-api-key';

export function key(headers) {
  return headers['x-api-key'];
}

export function modelList() {
  const data = models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2025-09-29T00:00:00Z' }));
  return { data, has_more: false, first_id: data[0].id, last_id: data.at(-1).id };
}

export function error(type, message) {
  return { type: 'error', error: { type, message }, request_id: 'req_end2end' };
}

export const refusals = {
  key: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  model: (model) => ({ status: 404, type: 'not_found_error', message: `model: ${model}` }),
  request: (message) => ({ status: 400, type: 'invalid_request_error', message }),
};

/** What the provider would refuse about a request, or nothing. */
export function fault(headers, body) {
  if (!headers['anthropic-version']) return 'anthropic-version: header is required';
  if (headers.origin && headers['anthropic-dangerous-direct-browser-access'] !== 'true') {
    return 'CORS requests must set the anthropic-dangerous-direct-browser-access header';
  }
  if (!(body.max_tokens > 0)) return 'max_tokens: Field required';
  if (!body.stream) return 'stream: this endpoint only streams';
  if (body.messages?.[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  let open = [];
  for (const [at, { role, content }] of body.messages.entries()) {
    const blocks = blocksOf(content);
    if (blocks.length === 0) return `messages.${at}: content must not be empty`;
    if (blocks.some((block) => block.type === 'text' && !block.text)) return 'messages: text content blocks must be non-empty';
    const answered = blocks.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id);
    const stray = answered.find((id) => !open.includes(id));
    if (stray) return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`;
    const left = open.filter((id) => !answered.includes(id));
    if (left.length) return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${left.join(', ')}`;
    open = role === 'assistant' ? blocks.filter((block) => block.type === 'tool_use').map((block) => block.id) : [];
  }
  if (open.length) return `messages: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`;
}

/** What stands before the messages. */
export function system(body) {
  return textOf(body.system);
}

/** The messages in the plain form of said.mjs. */
export function messages(body) {
  return body.messages.flatMap(({ role, content }) => {
    if (role === 'assistant') return [{ role }];
    const blocks = blocksOf(content);
    const results = blocks.filter((block) => block.type === 'tool_result').map((block) => textOf(block.content));
    const texts = blocks.filter((block) => block.type === 'text').map((block) => block.text);
    return [
      ...(results.length ? [{ role: 'tools', text: results.join('\n') }] : []),
      ...(texts.length ? [{ role: 'person', text: texts.join('\n') }] : []),
    ];
  });
}

/** Streams `blocks`; returns "whole", or the word among them that ended it early. */
export async function reply(body, blocks, stream) {
  const send = (data) => stream.event(data, data.type);
  const usage = { input_tokens: tokens(body), cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const bill = (output, data) => stream.bill({ input: usage.input_tokens, output }, data, data.type);
  await bill(1, {
    type: 'message_start',
    message: {
      id: `msg_${body.messages.length}`, type: 'message', role: 'assistant', model: body.model,
      content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 },
    },
  });
  for (const [index, block] of blocks.entries()) {
    if (typeof block === 'string') return block;
    const content_block = block.tool
      ? { type: 'tool_use', id: `toolu_${body.messages.length}_${index}`, name: block.tool, input: {} }
      : { type: 'text', text: '' };
    await send({ type: 'content_block_start', index, content_block });
    await send({ type: 'ping' });
    await stream.deltas(block, (piece) => send({
      type: 'content_block_delta', index,
      delta: block.tool ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece },
    }));
    for (const cited of block.cites ?? []) {
      const citation = { type: 'web_search_result_location', cited_text: '', encrypted_index: '', ...cited };
      await send({ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } });
    }
    await send({ type: 'content_block_stop', index });
  }
  const stop_reason = blocks.some((block) => block.tool) ? 'tool_use' : 'end_turn';
  const output = tokens(blocks);
  await bill(output, { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { ...usage, output_tokens: output } });
  await send({ type: 'message_stop' });
  return 'whole';
}

function blocksOf(content) {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

function textOf(content) {
  return blocksOf(content).map((block) => block.text ?? '').join('\n');
}
