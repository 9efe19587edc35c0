// The messages of the skin's port, as `sandbox/protocol/src/frame.rs` has them, and the check of
// those that come in.

import { isArray, isInteger, parse } from './pristine.js';
import { plain } from './json.js';

/**
 * @typedef {{ selector: string, event: string }} Listener
 * @typedef {{
 *   head: string,
 *   body: string,
 *   html_attributes: Record<string, string>,
 *   body_attributes: Record<string, string>,
 *   listeners: Listener[],
 * }} SkinPage
 * @typedef {{ type: 'dom', input: any } | { type: 'run_js', code: string, timeout_ms: number }} SkinCommand
 * @typedef {{ type: 'text', text: string } | { type: 'error', message: string }} Answer
 *
 * @typedef {{ text?: string, chosen?: number[], caret?: number }} FieldContent
 * @typedef {{ field: string, focused: boolean } & FieldContent} Typed
 *
 * @typedef {{ type: 'show', version: number, page: SkinPage, state: Record<string, any>, typed: Typed[] }} Show
 * @typedef {{ type: 'perform', request: number, command: SkinCommand }} Perform
 * @typedef {{ type: 'state', key: string, value: any }} State
 * @typedef {{ type: 'answered', id: number, answer: Answer }} Answered
 * @typedef {{ type: 'reply', id: number, reply: Reply }} ReplyMessage
 * @typedef {{ type: 'rpc', text: string }} Rpc
 * @typedef {{ type: 'ping' | 'part' | 'keyboard' }} Ping
 * @typedef {Show | Perform | State | Answered | ReplyMessage | Rpc | Ping} ToSkin
 *
 * @typedef {{ result: any, is_error: boolean, page: SkinPage }} SkinDone
 * @typedef {{
 *   kind: 'logged' | 'exception' | 'rejection' | 'resource' | 'blocked',
 *   message: string,
 *   source?: string,
 *   line?: number,
 *   count: number,
 * }} Problem
 * @typedef {{ type: 'ready' }
 *   | { type: 'performed', request: number, done: SkinDone }
 *   | { type: 'notify', name: string, data: any }
 *   | { type: 'ask', id: number, text: string }
 *   | { type: 'set_state', key: string, value: any }
 *   | { type: 'request', id: number, want: Want }
 *   | { type: 'withdraw', id: number }
 *   | { type: 'taken', id: number }
 *   | { type: 'problems', problems: Problem[] }
 *   | { type: 'emit', name: string, data: any }
 *   | { type: 'call_tool', id: number, name: string, input: any }
 *   | { type: 'read_file', id: number, path: string }
 *   | { type: 'rpc', message: any }
 *   | { type: 'snapshot', page: SkinPage }
 *   | { type: 'pressed', ago_ms: number }
 *   | { type: 'focused' }
 *   | { type: 'stray', key: string }
 *   | { type: 'erased' }
 *   | { type: 'typed', fields: Typed[], typing: boolean }
 *   | { type: 'pong' }} FromSkin
 *
 * @typedef {'camera' | 'microphone' | 'screen' | 'location' | 'listen' | 'notifications'} PermissionName
 * @typedef {{ width?: number, height?: number, frame_rate?: number, facing?: 'user' | 'environment' }} VideoOptions
 * @typedef {{ high_accuracy: boolean, timeout_ms?: number, maximum_age_ms?: number }} PositionOptions
 * @typedef {{ type: 'notify_user', title?: string, text: string }
 *   | { type: 'view_state', view: string }
 *   | { type: 'permission', name: PermissionName }
 *   | { type: 'position' | 'watch_position', options: PositionOptions }
 *   | { type: 'speak', text: string, lang?: string, voice?: string, rate?: number, pitch?: number, volume?: number }
 *   | { type: 'voices' }
 *   | { type: 'listen', lang?: string, interim: boolean }
 *   | { type: 'camera' | 'screen', options: VideoOptions }
 *   | { type: 'microphone' }
 *   | { type: 'open_link', url: string }} Want
 * @typedef {{ type: 'done' | 'event', value: any } | { type: 'failed', name: string, message: string }} Reply
 */

/**
 * Reads a message of the shell's; `null` when it is none.
 *
 * @param {unknown} text
 * @returns {ToSkin | null}
 */
export function readToSkin(text) {
  if (typeof text !== 'string') return null;
  let message;
  try {
    message = plain(parse(text));
  } catch {
    return null;
  }
  return isObject(message) && isToSkin(message) ? message : null;
}

/**
 * @param {any} message
 * @returns {message is ToSkin}
 */
function isToSkin(message) {
  switch (message.type) {
    case 'show':
      return isPage(message.page) && isObject(message.state) && isArray(message.typed);
    case 'perform':
      return isInteger(message.request) && isObject(message.command) && isCommand(message.command);
    case 'state':
      return typeof message.key === 'string' && message.value !== undefined;
    case 'answered':
      return isInteger(message.id) && isObject(message.answer) && isAnswer(message.answer);
    case 'reply':
      return isInteger(message.id) && isObject(message.reply) && isReply(message.reply);
    case 'rpc':
      return typeof message.text === 'string';
    case 'ping':
    case 'part':
    case 'keyboard':
      return true;
    default:
      return false;
  }
}

/** @param {any} page */
function isPage(page) {
  return (
    isObject(page) &&
    typeof page.head === 'string' &&
    typeof page.body === 'string' &&
    isObject(page.html_attributes) &&
    isObject(page.body_attributes) &&
    isArray(page.listeners)
  );
}

/** @param {any} command */
function isCommand(command) {
  if (command.type === 'dom') return isObject(command.input);
  return command.type === 'run_js' && typeof command.code === 'string' && isInteger(command.timeout_ms);
}

/** @param {any} answer */
function isAnswer(answer) {
  if (answer.type === 'text') return typeof answer.text === 'string';
  return answer.type === 'error' && typeof answer.message === 'string';
}

/** @param {any} reply */
function isReply(reply) {
  if (reply.type === 'failed') return typeof reply.name === 'string' && typeof reply.message === 'string';
  return (reply.type === 'done' || reply.type === 'event') && reply.value !== undefined;
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !isArray(value);
}
