// Hearing one utterance: by the device's own recognition, or recorded here and written by the person's endpoint.

import { t } from './words.js';

/** A recording is sent by then: the hub takes two minutes. */
const LONGEST_MS = 115_000;
/** A recording without a word in it is begun anew, so that no minutes of silence are sent. */
const SILENT_MS = 8_000;
/** Between two looks at how loud it is. */
const LOOK_MS = 40;

/** Something to tell the person. */
export class VoiceError extends Error {}

const MICROPHONE = {
  NotAllowedError: t('The browser does not let this page listen: allow the microphone and try again.'),
  NotFoundError: t('There is no microphone.'),
  NotReadableError: t('Another program has the microphone.'),
};

/** The microphone, without what the loudspeakers say. */
export async function openMicrophone() {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
  } catch (error) {
    throw new VoiceError(MICROPHONE[error.name] ?? t('The microphone cannot be used.'));
  }
}

/** Tells speech from a room by how loud it is; what the room is like it learns as it goes. */
export class Loudness {
  /** How long it has to be loud until somebody speaks, and quiet until they have ended. */
  constructor({ startMs = 120, endMs = 1_100, least = 0.012, factor = 3 } = {}) {
    Object.assign(this, { startMs, endMs, least, factor });
    this.floor = 0.004;
    this.loudMs = 0;
    this.quietMs = 0;
    this.speaks = false;
  }

  /** What a stretch of sound of this loudness means: that speech `began`, that it `ended`, or neither. */
  note(level, ms) {
    const isLoud = level > Math.max(this.least, this.floor * this.factor);
    if (!isLoud) this.floor += (level - this.floor) * (level < this.floor ? 0.3 : 0.02);
    if (isLoud) {
      this.loudMs += ms;
      this.quietMs = 0;
    } else {
      this.quietMs += ms;
      // A breath between two sounds begins nothing anew.
      if (this.quietMs > 200) this.loudMs = 0;
    }
    if (!this.speaks && this.loudMs >= this.startMs) {
      this.speaks = true;
      return 'began';
    }
    if (this.speaks && this.quietMs >= this.endMs) {
      this.speaks = false;
      this.loudMs = 0;
      return 'ended';
    }
    return undefined;
  }
}

/** Looks at a stream until it is told to stop; `see` is told how loud it is. */
export function watch(stream, see) {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 1024 });
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let last = performance.now();
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const now = performance.now();
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    see(level, Math.min(now - last, 250));
    last = now;
  }, LOOK_MS);
  return () => {
    clearInterval(timer);
    context.close().catch(() => {});
  };
}

/** What the hub answered, or its words about why not. */
export async function answerOf(response) {
  if (response.ok) return response;
  const failure = await response.json().catch(() => undefined);
  throw new VoiceError(failure?.message ?? t('The hub did not take it. Try again.'));
}

export async function ask(address, options) {
  try {
    return await fetch(address, { method: 'POST', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new VoiceError(t('The hub cannot be reached. Try again.'));
  }
}

/** The kind of recording that this browser makes. */
function kindOfRecording() {
  const kinds = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
  return kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
}

/**
 * Hears by the endpoint. `done` gives the words, empty if there were none; `stop` ends the recording and has it written,
 * `abort` drops it. With `pause`, a pause after words ends it. A `stream` that is given stays open.
 */
export function hearByEndpoint({ agent, stream: given, pause = false, onSpeech = () => {}, onWriting = () => {} }) {
  const control = new AbortController();
  let recorder;
  let end = () => {};
  const record = async () => {
    const stream = given ?? (await openMicrophone());
    const free = () => {
      if (!given) for (const track of stream.getTracks()) track.stop();
    };
    if (control.signal.aborted) {
      free();
      return '';
    }
    const kind = kindOfRecording();
    let began;
    let parts;
    const begin = () => {
      parts = [];
      const own = parts;
      recorder = new MediaRecorder(stream, { mimeType: kind, audioBitsPerSecond: 32_000 });
      recorder.ondataavailable = ({ data }) => own.push(data);
      recorder.start();
      began = performance.now();
    };
    begin();
    let hasWords = !pause;
    const loudness = new Loudness();
    await new Promise((resolve) => {
      end = resolve;
      control.signal.addEventListener('abort', resolve);
      const unwatch = watch(stream, (level, ms) => {
        const event = loudness.note(level, ms);
        const long = performance.now() - began;
        if (event === 'began') {
          hasWords = true;
          onSpeech();
        }
        if (long > LONGEST_MS || (pause && event === 'ended')) resolve();
        else if (!hasWords && loudness.loudMs === 0 && long > SILENT_MS) {
          recorder.ondataavailable = null;
          recorder.stop();
          begin();
        }
      });
      control.signal.addEventListener('abort', unwatch);
      const before = end;
      end = () => {
        unwatch();
        before();
      };
    });
    end();
    const seconds = Math.ceil((performance.now() - began) / 1000);
    await new Promise((resolve) => {
      recorder.onstop = resolve;
      if (recorder.state === 'inactive') resolve();
      else recorder.stop();
    });
    free();
    if (control.signal.aborted) return '';
    onWriting();
    const query = new URLSearchParams({ agent, seconds });
    const response = await ask(`/speech/hear?${query}`, {
      body: new Blob(parts, { type: kind }),
      headers: { 'content-type': kind },
      signal: control.signal,
    });
    const { text } = await (await answerOf(response)).json();
    return text.trim();
  };
  const done = record().catch((error) => {
    if (control.signal.aborted) return '';
    throw error;
  });
  return { done, stop: () => (recorder ? end() : control.abort()), abort: () => control.abort() };
}

const RECOGNITION = {
  'not-allowed': MICROPHONE.NotAllowedError,
  'audio-capture': MICROPHONE.NotFoundError,
  network: t('The browser could not reach what it listens with.'),
};

/** On the device itself, where the browser can do that: what is said then goes nowhere else. */
async function stayHere(Recognition, recognition) {
  const options = { langs: [recognition.lang], processLocally: true };
  try {
    if ((await Recognition.available?.(options)) === 'available') recognition.processLocally = true;
  } catch {
    // A browser that does not know of it asks its maker.
  }
}

/**
 * What the person speaks: the language that they chose for the interface, as it is spoken where their browser is;
 * without a choice that of the browser.
 */
export function ownLanguage() {
  const chosen = document.documentElement.dataset.chosenLanguage;
  if (!chosen) return navigator.language;
  const isOne = (tag) => tag.toLowerCase() === chosen || tag.toLowerCase().startsWith(`${chosen}-`);
  return navigator.languages.find(isOne) ?? chosen;
}

/** The same by the device. `onWords` is told what was heard so far. */
export function hearByDevice({ pause = false, onWords = () => {}, onSpeech = () => {} }) {
  const Recognition = globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;
  const recognition = new Recognition();
  let isAborted = false;
  const done = (async () => {
    recognition.lang = ownLanguage();
    recognition.continuous = !pause;
    recognition.interimResults = true;
    await stayHere(Recognition, recognition);
    if (isAborted) return '';
    let words = '';
    return await new Promise((resolve, reject) => {
      recognition.onresult = ({ results }) => {
        if (isAborted) return;
        words = [...results].map(([best]) => best.transcript).join('').trimStart();
        onSpeech();
        onWords(words);
      };
      recognition.onerror = ({ error }) => {
        if (RECOGNITION[error]) reject(new VoiceError(RECOGNITION[error]));
      };
      recognition.onend = () => resolve(isAborted ? '' : words.trim());
      try {
        recognition.start();
      } catch {
        resolve('');
      }
    });
  })();
  const abort = () => {
    isAborted = true;
    recognition.abort();
  };
  return { done, stop: () => recognition.stop(), abort };
}
