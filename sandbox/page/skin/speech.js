// `flo.speech`: what the page says aloud, and what the person says to it.

import { create, freeze, keys, NativePromise } from './pristine.js';
import { demand, failure, promised, tell, withdraw } from './wants.js';
import { optionalCallback, optionalNumber, optionalText, optionsOfPage, textOfPage } from './options.js';
/** @import { Want } from './messages.js' */

const SPEECH_LENGTH = 2000;
const TAG_LENGTH = 35;
const VOICE_LENGTH = 200;

/** How the promise of each request under way is rejected. @type {Record<number, (error: DOMException) => void>} */
const utterances = create(null);

/**
 * @param {Want} want
 * @param {(value: any) => void} event
 * @returns {Promise<any>}
 */
function uttered(want, event) {
  return new NativePromise((resolve, reject) => {
    const id = demand(want, {
      event,
      done(value) {
        delete utterances[id];
        resolve(value);
      },
      failed(error) {
        delete utterances[id];
        reject(error);
      },
    });
    utterances[id] = reject;
  });
}

export const speech = freeze({
  /**
   * @param {string} text
   * @param {any} [options]
   * @returns {Promise<void>}
   */
  speak(text, options) {
    const what = 'flo.speech.speak(text, options)';
    const { lang, voice, rate, pitch, volume } = optionsOfPage(options, what);
    /** @type {Want} */
    const want = {
      type: 'speak',
      text: textOfPage(text, SPEECH_LENGTH, `${what}: text`),
      lang: optionalText(lang, TAG_LENGTH, `${what}: lang`),
      voice: optionalText(voice, VOICE_LENGTH, `${what}: voice`),
      rate: optionalNumber(rate, 0.1, 10, `${what}: rate`),
      pitch: optionalNumber(pitch, 0, 2, `${what}: pitch`),
      volume: optionalNumber(volume, 0, 1, `${what}: volume`),
    };
    return uttered(want, () => {});
  },
  /** Stops all that this page says or listens to. */
  stop() {
    const ids = keys(utterances);
    for (let i = 0; i < ids.length; i += 1) {
      const id = /** @type {any} */ (ids[i]) * 1;
      const reject = utterances[id];
      delete utterances[id];
      withdraw(id);
      reject(failure('AbortError', 'flo.speech.stop() was called'));
    }
  },
  /** @returns {Promise<{ name: string, lang: string, default: boolean }[]>} */
  voices() {
    return promised({ type: 'voices' });
  },
  /**
   * @param {any} [options]
   * @returns {Promise<string>}
   */
  listen(options) {
    const what = 'flo.speech.listen(options)';
    const { lang, interim, onResult } = optionsOfPage(options, what);
    const hear = optionalCallback(onResult, `${what}: onResult`);
    /** @type {Want} */
    const want = { type: 'listen', lang: optionalText(lang, TAG_LENGTH, `${what}: lang`), interim: interim === true };
    return uttered(want, (result) => {
      if (hear) tell(hear, result);
    });
  },
});
