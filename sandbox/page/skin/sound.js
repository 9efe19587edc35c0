// A microphone as a stream of its own: samples come over the port and are played, one stretch after
// the other, into a node whose output is a stream.

import { free, getter, setter } from './pristine.js';
/** @import { Sink } from './media.js' */

// So far ahead of the context's clock a stretch is played, in seconds: enough for the next one to come.
const LEAD = 0.05;
// More than this is waiting: the page was held up, and what it missed is left out.
const LATEST = 0.5;

const NativeAudioContext = AudioContext;
const makeDestination = free(AudioContext.prototype.createMediaStreamDestination);
const closeAudio = free(AudioContext.prototype.close);
const resumeAudio = free(AudioContext.prototype.resume);
const makeBuffer = free(BaseAudioContext.prototype.createBuffer);
const makeSource = free(BaseAudioContext.prototype.createBufferSource);
const stateOfAudio = getter(BaseAudioContext.prototype, 'state');
const clockOfAudio = getter(BaseAudioContext.prototype, 'currentTime');
const streamOfDestination = getter(MediaStreamAudioDestinationNode.prototype, 'stream');
const fillBuffer = free(AudioBuffer.prototype.copyToChannel);
const setBuffer = setter(AudioBufferSourceNode.prototype, 'buffer');
const playSource = free(/** @type {(this: AudioBufferSourceNode, when: number) => void} */ (AudioBufferSourceNode.prototype.start));
const connectNode = free(/** @type {(this: AudioNode, to: AudioNode) => AudioNode} */ (AudioNode.prototype.connect));
const countSamples = getter(/** @type {Float32Array} */ (Object.getPrototypeOf(Float32Array.prototype)), 'length');

/** @returns {Sink} */
export function soundSink() {
  const context = new NativeAudioContext();
  const destination = makeDestination(context);
  let next = 0;
  return {
    stream: streamOfDestination(destination),
    take({ samples, rate }) {
      const clock = clockOfAudio(context);
      if (stateOfAudio(context) !== 'running' || next > clock + LATEST) return;
      const count = countSamples(samples);
      const buffer = makeBuffer(context, 1, count, rate);
      fillBuffer(buffer, samples, 0);
      const source = makeSource(context);
      setBuffer(source, buffer);
      connectNode(source, destination);
      if (next < clock + LEAD) next = clock + LEAD;
      playSource(source, next);
      next += count / rate;
    },
    resume() {
      if (stateOfAudio(context) === 'suspended') resumeAudio(context);
    },
    end() {
      closeAudio(context);
    },
  };
}
