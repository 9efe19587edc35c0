// The numbers by which a world tells who reached it. Whatever may try to get out has a number, and
// with it a name, an address and a port that nothing else uses.

const NETWORKS = ['192.0.2', '198.51.100', '203.0.113'];
const PER_NETWORK = 250;

export const MOST = NETWORKS.length * PER_NETWORK;

/** The address through which everything leaves, and the browser's own on that wire. */
export const GATEWAY = '198.18.0.1';
export const BROWSER = '198.18.0.2';

export function nameOf(number) {
  return `n${number}.sink.test`;
}

export function addressOf(number) {
  return `${NETWORKS[Math.floor(number / PER_NETWORK)]}.${(number % PER_NETWORK) + 1}`;
}

export function portOf(number) {
  return 20_000 + number;
}

/** Who is behind a host name, `null` when nobody is. */
export function numberOfName(name) {
  const found = /^n(\d+)\.sink\.test$/.exec(name.toLowerCase());
  return found ? Number(found[1]) : null;
}

export function numberOfAddress(address) {
  const [, network, last] = /^(?:::ffff:)?(.*)\.(\d+)$/.exec(address) ?? [];
  const at = NETWORKS.indexOf(network);
  return at < 0 ? null : at * PER_NETWORK + Number(last) - 1;
}
