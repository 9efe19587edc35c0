// OpenAI chat completions, as documented at platform.openai.com/docs/api-reference/chat.
//
// POST /v1/chat/completions with `Authorization: Bearer KEY`; the body names `model`, `messages` and
// `stream: true`. The answer is a stream of unnamed events, each a chat.completion.chunk whose first
// choice carries a delta: the role, then `content`, then `tool_calls` by index (id and name first,
// arguments in scraps). The last choice has a finish_reason; with stream_options.include_usage a
// chunk without choices carries the usage; `[DONE]` ends the stream. An error is
// {error: {message, type, param, code}}.

import { tokens } from './stream.mjs';

export const models = ['gpt-5-mini', 'gpt-5', 'model-without-price'];

export const keyHeader = 'authorization';

export function key(headers) {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}

export function modelList() {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 1754524800, owned_by: 'end2end' })) };
}

export function error(type, message, code = null) {
  return { error: { message, type, param: null, code } };
}

export const refusals = {
  key: { status: 401, type: 'invalid_request_error', message: 'Incorrect API key provided.', code: 'invalid_api_key' },
  model: (model) => ({
    status: 404, type: 'invalid_request_error', code: 'model_not_found',
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
  }),
  request: (message) => ({ status: 400, type: 'invalid_request_error', message }),
};

/** What the provider would refuse about a request, or nothing. */
export function fault(_headers, body) {
  if (!body.stream) return 'stream: this endpoint only streams';
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "Missing required parameter: 'messages'.";
  let open = [];
  for (const { role, tool_calls, tool_call_id } of body.messages) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id)) return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    if (open.length) break;
    open = (tool_calls ?? []).map((call) => call.id);
  }
  if (open.length) {
    return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${open.join(', ')}`;
  }
}

/** What stands before the messages. */
export function system(body) {
  return body.messages.filter(({ role }) => role === 'system' || role === 'developer').map(({ content }) => textOf(content)).join('\n');
}

/** The messages in the plain form of said.mjs. */
export function messages(body) {
  const roles = { user: 'person', assistant: 'assistant', tool: 'tools' };
  return body.messages
    .filter(({ role }) => roles[role])
    .map(({ role, content }) => ({ role: roles[role], text: textOf(content) }));
}

/** Streams `blocks`; returns "whole", or the word among them that ended it early. */
export async function reply(body, blocks, stream) {
  const chunk = (rest) => stream.event({
    id: `chatcmpl-${body.messages.length}`, object: 'chat.completion.chunk', created: 1754524800, model: body.model, ...rest,
  });
  const send = (delta, finish_reason = null) => chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  await send({ role: 'assistant', content: '' });
  let calls = 0;
  for (const block of blocks) {
    if (typeof block === 'string') return block;
    if (block.tool) {
      const index = calls++;
      const id = `call_${body.messages.length}_${index}`;
      await send({ tool_calls: [{ index, id, type: 'function', function: { name: block.tool, arguments: '' } }] });
      await stream.deltas(block, (piece) => send({ tool_calls: [{ index, function: { arguments: piece } }] }));
    } else {
      await stream.deltas(block, (piece) => send({ content: piece }));
    }
  }
  await send({}, calls ? 'tool_calls' : 'stop');
  if (body.stream_options?.include_usage) {
    const usage = { prompt_tokens: tokens(body), completion_tokens: tokens(blocks) };
    Object.assign(stream.used, { input: usage.prompt_tokens, output: usage.completion_tokens });
    await chunk({ choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } });
  }
  await stream.event('[DONE]');
  return 'whole';
}

function textOf(content) {
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
}
