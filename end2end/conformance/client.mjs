// What a scenario of the conformance suite has a client do, done by the hub for a person of its own: they add the
// server, sign in where it wants that, and have an agent call each of its tools.
//
//   node client.mjs URL     as the suite starts it; run.mjs says where the hub is

import { Person } from './person.mjs';

const { HUB: hub, BINARY: binary, FOLDER: folder, ENDPOINT: endpoint, MCP_CONFORMANCE_CONTEXT = '{}' } = process.env;
const url = process.argv.at(-1);
const context = JSON.parse(MCP_CONFORMANCE_CONTEXT);
const SIGN_INS = 3;

const name = `s${process.pid}`;
const person = await Person.make({ hub, binary, folder, name });
const server = await person.call('mcp_servers/add', { name, url });
if (server.failure) await signIn();
const agent = await makeAgent();
for (const call of await calls()) {
  const result = await make(call);
  if (/sign in/i.test(result) && (await signIn())) await make(call);
}
await person.call('mcp_servers/remove', { id: server.id });

/** Until the server answers, or as often as somebody would try it. */
async function signIn() {
  for (let times = 0; times < SIGN_INS; times++) {
    try {
      const { client_id, client_secret } = context;
      const { address } = await person.call('mcp_servers/connect', { id: server.id, client_id, client_secret });
      await person.goTo(address);
      await person.call('mcp_servers/look', { id: server.id });
      return true;
    } catch (error) {
      console.error(error.message);
    }
  }
  return false;
}

async function makeAgent() {
  const model = { name: 'Claude', kind: 'anthropic', base_url: endpoint, key: 'key-good' };
  const provider = (await person.call('providers/save', model)).id;
  const draft = { name: 'Ada', colour: '#3d9a5d', provider, model: 'claude-sonnet-4-5', tools: [], home: 'hub' };
  const { id } = await person.call('agents/create', draft);
  await person.call('mcp_servers/choose', { agent: id, servers: [server.id] });
  return id;
}

/** Those that the scenario names, or one of each tool. */
async function calls() {
  if (context.toolCalls) return context.toolCalls;
  const { tools } = await person.read(`mcp_servers/read?id=${server.id}`);
  return tools.map((tool) => ({ name: tool.name, arguments: sample(tool.input_schema) }));
}

/** Says yes to whatever is asked, and sends forms as they come. What came of the call. */
async function make(call) {
  // A null for what may be left out does not fit a schema that wants a flag there, and is not sent.
  const given = Object.entries(call.arguments ?? {}).filter(([, value]) => value !== null);
  const turns = [[{ tool: `mcp_${name}_${call.name}`, input: Object.fromEntries(given) }], [{ text: 'Done.' }]];
  let isOver = false;
  const answered = person.call('agents/ask', { agent, text: `turns: ${JSON.stringify(turns)}` });
  const over = answered.finally(() => (isOver = true));
  while (!isOver) {
    for (const { id, hash, question } of (await person.read('approvals/list')).map(({ approval, ...own }) => approval ?? own)) {
      const [path, more] = question ? ['reply', { fields: asTheyStand(question.wanted.fields) }] : ['answer', { decision: 'once' }];
      await person.call(`approvals/${path}`, { id, hash, ...more });
    }
    await Promise.race([over, new Promise((go) => setTimeout(go, 100))]);
  }
  const { run } = await answered;
  const entries = await person.read(`agents/entries?agent=${agent}&after=0`);
  const results = entries.filter((entry) => entry.run === run && entry.body.type === 'tool_finished');
  return JSON.stringify(results.map((entry) => entry.body.result));
}

/** What stands in the fields before anything is entered. */
function asTheyStand(fields = []) {
  const standing = fields.filter(({ suggested }) => suggested);
  return standing.map(({ name, suggested: { labels = [], text, number, date } }) => ({ name, chosen: labels, text: String(text ?? number ?? date ?? '') }));
}

function sample(schema) {
  const values = { number: 5, integer: 3, boolean: true, array: [], object: {} };
  const value = ({ type, enum: choices }) => choices?.[0] ?? values[[type].flat()[0]] ?? 'moss';
  return Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, of]) => [name, value(of)]));
}
