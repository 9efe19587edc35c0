// What a request says, whichever wire it came by, and which turn of which script answers it. Pure,
// but for reading the scripts.
//
// Both wires hand over a list of plain messages:
//   { role: 'person', text }          what a person or an agent's page said
//   { role: 'assistant' }             a reply of ours, played back
//   { role: 'tools', text }           results of tool calls, joined
//
// The last line `script: NAME` in a person's message picks scripts/NAME.json, or `turns: […]` is the script's
// turns themselves, on one line, and a line `next: […]` beside it those of the script after it; each of our replies
// after that message moves on by one turn. A message without such a line is answered by the script that the one
// before names as its `next`, or else by an echo. A script is {turns: [turn], next}; a turn is
//   [block, …]                    {text, pace_ms, gate, letters} or {tool, input, pace_ms}; `pace_ms` is the pause
//                                 after each delta, which is a word, or so many letters, and before the word `gate` the reply waits until
//                                 a test lets it go on (POST /gate); with `cites`, a list of {url, title}, the text is
//                                 what a search of the provider's own found (Anthropic's wire); a last "cut" breaks the connection there, a last
//                                 "hang" sends nothing more
//   "cut" or "hang"               the same before any header
//   {status, type, message, code, retry_after}     an error in the wire's shape
// In a text {said} stands for the person's last message, {results} for what tools answered since, {devices} for
// what the hub said last of the devices that show the page, {key} for the key that came with the
// request; that one in inputs of tools as well. There `"{ids}"` stands for the list of all ids in those results.
// What another agent says is read as if a person said it.

import { readFileSync } from 'node:fs';

/** Where the key is to stand: `{key}`, and not the `${key}` of a script in a page. */
const KEY = /(?<!\$)\{key\}/g;

/** What the loop says after the results of a round. */
const LOOP = /^\[(?:Round \d+ of \d+\.|Denied: .*|Denied again: .*|The result of .*)\]$/gm;

/** What another agent says. */
const AGENT = /^\[the agent .* says\]\n/;

/** What the hub says of devices. */
const DEVICES = /^\[devices\]\n((?:> .*\n?)+)/gm;

const SCRIPTS = new URL('./scripts/', import.meta.url);

/** The turn that answers `messages`. */
export function turnFor(messages, key = '') {
  const heard = hear(messages);
  const turn = heard.script ? heard.script.turns[heard.turn] : [{ text: 'You said: {said}' }];
  return Array.isArray(turn) ? turn.map((block) => fill(block, { ...heard, key })) : (turn ?? [{ text: 'The script is over.' }]);
}

/** What a call beside runs answers: the words behind `title:`, `memories:` or `agent:` in what it is asked about; those in the background wait before the word `gate`. */
export function asideFor(system, messages) {
  const text = messages.findLast(({ role }) => role === 'person')?.text ?? '';
  if (system.includes('You name conversations.')) return [{ text: text.match(/^title: (.*)$/m)?.[1] ?? 'Named by a model', gate: 'gate' }];
  if (system.includes('You look for what is worth remembering.')) return [{ text: text.match(/^memories: (.*)$/m)?.[1] ?? '[]', gate: 'gate' }];
  if (system.includes('You set up agents.')) return [{ text: `${text.match(/^agent: (.*)$/m)?.[1] ?? 'Proposed'}\n\nYou do what a model proposed.` }];
  return undefined;
}

function hear(messages) {
  const heard = { script: null, turn: 0, said: '', results: '', devices: '' };
  for (const message of messages) {
    if (message.role === 'person') {
      // The loop's own words are not a person's.
      heard.devices = [...message.text.matchAll(DEVICES)].at(-1)?.[1].replace(/^> /gm, '').trim() ?? heard.devices;
      const words = message.text.replace(DEVICES, '').replace(LOOP, '').trim();
      const text = AGENT.test(words) ? words.replace(AGENT, '').replace(/^> /gm, '') : words;
      if (!text) continue;
      const named = [...text.matchAll(/^script: ([a-z0-9-]+)\s*$/gm)].at(-1)?.[1];
      const turns = text.match(/^turns: (\[.*\])\s*$/m)?.[1];
      const then = text.match(/^next: (\[.*\])\s*$/m)?.[1];
      const name = named ?? heard.script?.next;
      const script = turns ? { turns: JSON.parse(turns), next: then && JSON.parse(then) } : name ? load(name) : null;
      Object.assign(heard, { script, turn: 0, said: text, results: '' });
    } else if (message.role === 'assistant') {
      heard.turn += 1;
    } else {
      heard.results += message.text + '\n';
    }
  }
  return heard;
}

function load(name) {
  if (Array.isArray(name)) return { turns: name };
  try {
    return JSON.parse(readFileSync(new URL(`${name}.json`, SCRIPTS), 'utf8'));
  } catch (error) {
    return { turns: [[{ text: `The script ${name} cannot be read: ${error.message}` }]] };
  }
}

function fill(block, { said, results, devices, key }) {
  if (block.tool) {
    const ids = [...new Set([...results.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id))];
    const input = JSON.stringify(block.input ?? {}).replace(KEY, key).replace('"{ids}"', JSON.stringify(ids));
    return { ...block, input: JSON.parse(input) };
  }
  if (block.text === undefined) return block;
  const words = { said, results: results.trim(), devices, key };
  return { ...block, text: block.text.replace(/\{(said|results|devices|key)\}/g, (_, what) => words[what]) };
}
