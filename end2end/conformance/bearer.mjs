// A way to the hub that adds a token to each request: the suite for servers knows none. Whoever names this address as
// Host or Origin says the hub's; any other name goes on as it is.

import { createServer, request } from 'node:http';
import { once } from 'node:events';

export async function bearer(hub, token) {
  const to = new URL(hub);
  const server = createServer((incoming, outgoing) => {
    const { port } = server.address();
    const own = new RegExp(`(127\\.0\\.0\\.1|localhost):${port}`);
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    for (const name of ['host', 'origin']) if (headers[name]) headers[name] = headers[name].replace(own, to.host);
    const options = { host: to.hostname, port: to.port, path: incoming.url, method: incoming.method, headers };
    const onward = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
