// Stands where a browser would: `sandbox/page/skin` has what comes after, the same as in the page.
// Nothing here reaches out of the script. What it sets and says is collected and taken away at the end.

const { stringify, parse } = JSON;
const { keys, create, freeze, defineProperty, setPrototypeOf } = Object;
const { isArray } = Array;
const { apply } = Reflect;
const { isFinite: isFiniteNumber } = Number;
const { round } = Math;
const { now } = Date;
const NativePromise = Promise;
const NativeError = Error;
const NativeTypeError = TypeError;
const NativeString = String;
const free = Function.prototype.bind.bind(Function.prototype.call);
const sort = free(Array.prototype.sort);
const wellFormed = free(String.prototype.toWellFormed);

const window = globalThis;
class Node {}
const isElement = () => false;
const tagOf = () => '';
const on = () => {};
// The engine keeps the time itself.
const setTimer = () => 0;
const clearTimer = () => {};
const raiseError = (error) => record('error', messageOf(error));

const silent = { debug() {}, error() {}, info() {}, log() {}, warn() {} };
defineProperty(globalThis, 'console', { value: silent, writable: true, configurable: true });

const changes = create(null);

function send(message) {
  if (message.type !== 'set_state') throw new NativeError(`no page is open, so flo.${message.type} reaches nobody`);
  changes[message.key] = message.value;
}
