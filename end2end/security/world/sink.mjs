// The world outside: answers every name and every address, and prints each thing that arrives as one
// line of JSON. Runs in a network namespace of its own and makes another for the browser, whose one
// wire ends here.
//
//     unshare --user --map-root-user --net node sink.mjs DOOR_SOCKET DOOR_PORT

import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { BROWSER, GATEWAY, MOST, numberOfAddress, numberOfName, portOf } from './addresses.mjs';
import { answer, readQuery } from './names.mjs';

const MULTICAST_NAMES = { address: '224.0.0.251', port: 5353 };
const TURN = 3478;
const WIRE = 'out';

const [, , doorSocket, doorPort] = process.argv;

function say(arrival) {
  process.stdout.write(`${JSON.stringify(arrival)}\n`);
}

function ip(...words) {
  execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Starts the other side and lays the wire; returns the process whose namespaces the browser joins. */
async function wire() {
  const door = join(import.meta.dirname, 'door.mjs');
  const inside = spawn('unshare', ['--net', '--mount', process.execPath, door, doorSocket, doorPort, GATEWAY], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  inside.on('exit', () => process.exit());
  await once(createInterface(inside.stdout), 'line');
  const there = (...words) => execFileSync('nsenter', ['--net', `--target=${inside.pid}`, 'ip', ...words]);

  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', WIRE, 'type', 'veth', 'peer', 'name', WIRE, 'netns', String(inside.pid));
  // Nobody speaks IPv6 here, and so the wire carries nothing but what a browser puts on it.
  ip('link', 'set', WIRE, 'addrgenmode', 'none');
  there('link', 'set', WIRE, 'addrgenmode', 'none');
  ip('address', 'add', `${GATEWAY}/30`, 'dev', WIRE);
  there('address', 'add', `${BROWSER}/30`, 'dev', WIRE);
  ip('link', 'set', WIRE, 'up');
  there('link', 'set', WIRE, 'up');
  there('route', 'add', 'default', 'via', GATEWAY);
  // Every address there is, is here.
  ip('route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo');
  ip('route', 'add', `${BROWSER}/32`, 'dev', WIRE);
  return inside.pid;
}

async function serveNames() {
  const socket = createSocket('udp4').on('message', (packet, from) => {
    const { name, type } = readQuery(packet);
    say({ kind: 'lookup', number: numberOfName(name), what: `${name} ${type}` });
    socket.send(answer(packet), from.port, from.address);
  });
  // Bound by its address, for an answer has to come from where it was asked.
  socket.bind(53, GATEWAY);
  await once(socket, 'listening');
}

async function servePackets() {
  for (let number = 0; number < MOST; number += 1) {
    const socket = createSocket('udp4').on('message', (packet, from) => {
      if (from.address === BROWSER) say({ kind: 'packet', number, what: `${packet.length} bytes` });
    });
    socket.bind(portOf(number));
    await once(socket, 'listening');
  }
  const announcements = createSocket({ type: 'udp4', reuseAddr: true }).on('message', (packet, from) => {
    if (from.address === BROWSER) say({ kind: 'announcement', number: null, what: packet.toString('latin1').replace(/[^ -~]+/g, ' ') });
  });
  announcements.bind(MULTICAST_NAMES.port);
  await once(announcements, 'listening');
  announcements.addMembership(MULTICAST_NAMES.address, GATEWAY);
}

async function serveConnections() {
  const web = createHttpServer((request, response) => {
    const number = numberOfAddress(request.socket.localAddress);
    say({ kind: 'request', number, what: `${request.method} ${request.headers.host}${request.url}` });
    const kind = { style: 'text/css', script: 'text/javascript', serviceworker: 'text/javascript' };
    response.writeHead(200, {
      'content-type': kind[request.headers['sec-fetch-dest']] ?? 'text/html',
      'access-control-allow-origin': '*',
      connection: 'close',
    });
    response.end();
  });
  web.on('upgrade', (request, socket) => {
    say({ kind: 'request', number: numberOfAddress(socket.localAddress), what: `upgrade ${request.headers.host}` });
    socket.destroy();
  });
  web.on('connection', note);
  const mute = () =>
    createServer((socket) => {
      note(socket);
      socket.on('error', () => undefined).resume();
    });
  const servers = [web.listen(80, '0.0.0.0'), mute().listen(443, '0.0.0.0'), mute().listen(TURN, '0.0.0.0')];
  await Promise.all(servers.map((server) => once(server, 'listening')));
}

function note(socket) {
  say({ kind: 'connection', number: numberOfAddress(socket.localAddress), what: `to port ${socket.localPort}` });
}

process.stdin.on('end', () => process.exit()).resume();
const inside = await wire();
await Promise.all([serveNames(), servePackets(), serveConnections()]);
say({ ready: inside });
