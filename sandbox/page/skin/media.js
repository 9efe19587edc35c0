// Streams from the shell. The frame may not open a camera itself, but what comes of one over the
// port becomes a `MediaStream` like any other here.

import { create, dispatch, free, getter, hasOwn, isInstance, keys, NativeEvent, NativePromise, NativeTypeError, on } from './pristine.js';
import { send } from './port.js';
import { demand, withdraw } from './wants.js';
import { optionalInteger, optionsOfPage } from './options.js';
import { pictureSink } from './pictures.js';
import { soundSink } from './sound.js';
/** @import { VideoOptions, Want } from './messages.js' */

/**
 * @typedef {{ media: number, bitmap: ImageBitmap, samples: Float32Array<ArrayBuffer>, rate: number }} MediaMessage
 * @typedef {{
 *   stream: MediaStream,
 *   take: (message: MediaMessage) => void,
 *   resume: () => void,
 *   end: () => void,
 * }} Sink
 */

const NativeStream = MediaStream;
const tracksOf = free(MediaStream.prototype.getTracks);
const addTrack = free(MediaStream.prototype.addTrack);
const stopTrack = free(MediaStreamTrack.prototype.stop);
const stateOfTrack = getter(MediaStreamTrack.prototype, 'readyState');

/** By request. @type {Record<number, Sink>} */
const sinks = create(null);

/**
 * A picture or a stretch of sound from the shell.
 *
 * @param {any} message
 */
export function receiveMedia(message) {
  if (!hasOwn(message, 'media')) return;
  const id = message.media;
  const sink = sinks[id];
  if (!sink) return;
  if (hasEnded(sink.stream)) {
    closeSink(id);
    withdraw(id);
    return;
  }
  sink.take(message);
  send({ type: 'taken', id });
}

/**
 * @param {Want} want
 * @param {() => Sink} makeSink
 * @returns {Promise<MediaStream>}
 */
function openStream(want, makeSink) {
  return new NativePromise((resolve, reject) => {
    const id = demand(want, {
      event() {
        if (sinks[id]) return;
        const sink = makeSink();
        sinks[id] = sink;
        sink.resume();
        resolve(sink.stream);
      },
      done() {
        closeSink(id);
      },
      failed(error) {
        closeSink(id);
        reject(error);
      },
    });
  });
}

/**
 * Ends the stream, and tells whoever listens to its tracks.
 *
 * @param {number} id
 */
function closeSink(id) {
  const sink = sinks[id];
  if (!sink) return;
  delete sinks[id];
  sink.end();
  const tracks = tracksOf(sink.stream);
  for (let i = 0; i < tracks.length; i += 1) {
    if (stateOfTrack(tracks[i]) === 'ended') continue;
    stopTrack(tracks[i]);
    dispatch(tracks[i], new NativeEvent('ended'));
  }
}

/** @param {MediaStream} stream */
function hasEnded(stream) {
  const tracks = tracksOf(stream);
  for (let i = 0; i < tracks.length; i += 1) {
    if (stateOfTrack(tracks[i]) !== 'ended') return false;
  }
  return true;
}

/** @param {any} [options] */
export function getCamera(options) {
  return openStream({ type: 'camera', options: videoOptions(options, 'flo.getCamera(options)') }, pictureSink);
}

/** @param {any} [options] */
export function getScreen(options) {
  return openStream({ type: 'screen', options: videoOptions(options, 'flo.getScreen(options)') }, pictureSink);
}

export function getMicrophone() {
  return openStream({ type: 'microphone' }, soundSink);
}

/** @param {any} [wanted] */
export async function getMediaStream(wanted) {
  const { video, audio } = optionsOfPage(wanted, 'flo.getMediaStream({ video, audio })');
  if (!video && !audio) throw new NativeTypeError('flo.getMediaStream({ video, audio }) needs video, audio or both');
  const picture = video ? await getCamera(video === true ? undefined : video) : null;
  if (!audio) return picture;
  try {
    const sound = await getMicrophone();
    return picture ? joined(picture, sound) : sound;
  } catch (error) {
    if (picture) stopMediaStream(picture);
    throw error;
  }
}

/**
 * @param {MediaStream} picture
 * @param {MediaStream} sound
 */
function joined(picture, sound) {
  const both = new NativeStream();
  addTrack(both, tracksOf(picture)[0]);
  addTrack(both, tracksOf(sound)[0]);
  return both;
}

/**
 * Ends whatever feeds a track of this stream.
 *
 * @param {MediaStream} stream
 */
export function stopMediaStream(stream) {
  if (!isInstance(NativeStream, stream)) throw new NativeTypeError('flo.stopMediaStream(stream): stream must be a MediaStream');
  const tracks = tracksOf(stream);
  const ids = keys(sinks);
  for (let i = 0; i < ids.length; i += 1) {
    const id = /** @type {any} */ (ids[i]) * 1;
    if (!feeds(sinks[id], tracks)) continue;
    withdraw(id);
    closeSink(id);
  }
}

/**
 * @param {Sink} sink
 * @param {MediaStreamTrack[]} tracks
 */
function feeds(sink, tracks) {
  const own = tracksOf(sink.stream);
  for (let i = 0; i < own.length; i += 1) {
    for (let j = 0; j < tracks.length; j += 1) {
      if (own[i] === tracks[j]) return true;
    }
  }
  return false;
}

/**
 * @param {any} given
 * @param {string} what
 * @returns {VideoOptions}
 */
function videoOptions(given, what) {
  const { width, height, frameRate, facing } = optionsOfPage(given, what);
  if (facing !== undefined && facing !== 'user' && facing !== 'environment') {
    throw new NativeTypeError(`${what}: facing must be 'user' or 'environment'`);
  }
  return {
    width: optionalInteger(width, 1, 1920, `${what}: width`),
    height: optionalInteger(height, 1, 1920, `${what}: height`),
    frame_rate: optionalInteger(frameRate, 1, 30, `${what}: frameRate`),
    facing,
  };
}

// A frame plays sound only after the person has done something in it.
function resumeSinks() {
  const ids = keys(sinks);
  for (let i = 0; i < ids.length; i += 1) sinks[/** @type {any} */ (ids[i])].resume();
}
on(document, 'pointerdown', resumeSinks, true);
on(document, 'keydown', resumeSinks, true);
