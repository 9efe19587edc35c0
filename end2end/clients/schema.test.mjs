// The names of the protocol of MCP Apps that the shell is held against (`sandbox/shell/src/mcp_app/rpc.rs`) are those of
// its makers' package, in the version that is installed.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const read = async path => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));
const names = object => Object.keys(object).sort();

test('the shell knows the names of the protocol of MCP Apps as its makers have them', async () => {
  const made = '../node_modules/@modelcontextprotocol/ext-apps';
  const { version } = await read(`${made}/package.json`);
  const { $defs: defined } = await read(`${made}/dist/src/generated/schema.json`);
  const methods = Object.values(defined).map(one => one.properties?.method?.const).filter(Boolean);
  assert.deepEqual(await read('../../sandbox/shell/src/mcp_app/schema.json'), {
    version,
    methods: [...new Set(methods)].sort(),
    McpUiInitializeResult: names(defined.McpUiInitializeResult.properties),
    McpUiHostCapabilities: names(defined.McpUiHostCapabilities.properties),
  });
});
