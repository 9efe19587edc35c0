// Stands where a browser would: `sandbox/page/skin` has what comes after, the same as in the page.
// Nothing here reaches out of the script. What it sets and says is collected and taken away at the end.

const { stringify, parse } = JSON;
const { keys, create, freeze, hasOwn, defineProperty, setPrototypeOf } = Object;
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

const attribute = () => null;
const reportProblem = () => {};
const noteStateUse = () => {};

const nobody = (name) => () => {
  throw new NativeError(`no page is open, so flo.${name} reaches nobody`);
};
const services = {
  notify_user: nobody('notify_user'),
  requestViewState: nobody('requestViewState'),
  requestPermission: nobody('requestPermission'),
  getCamera: nobody('getCamera'),
  getMicrophone: nobody('getMicrophone'),
  getMediaStream: nobody('getMediaStream'),
  getScreen: nobody('getScreen'),
  stopMediaStream: nobody('stopMediaStream'),
  speech: freeze({
    speak: nobody('speech.speak'),
    stop: nobody('speech.stop'),
    voices: nobody('speech.voices'),
    listen: nobody('speech.listen'),
  }),
  geolocation: freeze({
    getCurrentPosition: nobody('geolocation.getCurrentPosition'),
    watchPosition: nobody('geolocation.watchPosition'),
    clearWatch: nobody('geolocation.clearWatch'),
  }),
};

const silent = { debug() {}, error() {}, info() {}, log() {}, warn() {} };
defineProperty(globalThis, 'console', { value: silent, writable: true, configurable: true });

const changes = create(null);
const NAMES = setPrototypeOf({ call_tool: 'callTool' }, null);

function send(message) {
  if (message.type !== 'set_state') nobody(NAMES[message.type] ?? message.type)();
  changes[message.key] = message.value;
}
