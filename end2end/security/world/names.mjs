// As much of DNS as a browser needs: every name under `sink.test` has an address, no other has.

import { addressOf, numberOfName } from './addresses.mjs';

const A = 1;
const HEADER = 12;

/** Reads the name and the record type that a query asks for. */
export function readQuery(packet) {
  const labels = [];
  let at = HEADER;
  while (packet[at] > 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + packet[at]));
    at += packet[at] + 1;
  }
  return { name: labels.join('.'), type: packet.readUInt16BE(at + 1), end: at + 5 };
}

export function answer(packet) {
  const { name, type, end } = readQuery(packet);
  const number = numberOfName(name);
  const has = number !== null && type === A;
  const head = Buffer.alloc(HEADER);
  packet.copy(head, 0, 0, 2);
  head.writeUInt16BE(number === null ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(has ? 1 : 0, 6);
  const question = packet.subarray(HEADER, end);
  return Buffer.concat([head, question, has ? record(addressOf(number)) : Buffer.alloc(0)]);
}

function record(address) {
  const fixed = Buffer.from([0xc0, HEADER, 0, A, 0, 1, 0, 0, 0, 60, 0, 4]);
  return Buffer.concat([fixed, Buffer.from(address.split('.').map(Number))]);
}
