// Saying words aloud: by the device's own voice, or by the person's endpoint, sentence by sentence.

import { t } from './words.js';
import { answerOf, ask, ownLanguage, VoiceError } from './voice-hearing.js';

/** Characters that are said in one go: the longer, the later the first of them is heard. */
const MOST = 400;

/** What there is to hear of an answer: its words, and that there is code. */
export function wordsOf(answer) {
  const copy = answer.cloneNode(true);
  for (const code of copy.querySelectorAll('.code-block, pre')) code.replaceWith(' … ');
  for (const block of copy.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6, tr')) block.append('\n');
  return copy.textContent.trim();
}

/** The sentences of a text, long ones in parts. Of one that is still being written the last may be half. */
export function sentencesOf(text) {
  const found = [];
  for (const line of text.split('\n')) {
    let rest = line.trim();
    while (rest) {
      const end = /[.!?…]+["'”’»)\]]*(?:\s|$)|[。！？]+/u.exec(rest);
      let length = end ? end.index + end[0].length : rest.length;
      if (length > MOST) {
        const space = rest.lastIndexOf(' ', MOST);
        length = space > 0 ? space : MOST;
      }
      const sentence = rest.slice(0, length).trim();
      // Dots and signs alone are nothing to say.
      if (/[\p{L}\p{N}]/u.test(sentence)) found.push(sentence);
      rest = rest.slice(length).trim();
    }
  }
  return found;
}

/** The language of the text where the browser can tell, otherwise that of the person. */
async function languageOf(text) {
  try {
    if ((await globalThis.LanguageDetector?.availability()) === 'available') {
      const [best] = await (await LanguageDetector.create()).detect(text);
      if (best && best.confidence > 0.5) return best.detectedLanguage;
    }
  } catch {
    // The person's own is right more often than not.
  }
  return ownLanguage();
}

/** One text after the other, by the device. */
class DeviceSpeaker {
  #last = Promise.resolve();
  #isStopped = false;

  say(text) {
    this.#last = this.#last.then(() => this.#utter(text));
    return this.#last;
  }

  async #utter(text) {
    if (this.#isStopped) return;
    const language = await languageOf(text);
    if (this.#isStopped) return;
    await new Promise((resolve) => {
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.lang = language;
      utterance.onend = utterance.onerror = resolve;
      this.end = resolve;
      speechSynthesis.speak(utterance);
    });
  }

  stop() {
    this.#isStopped = true;
    speechSynthesis.cancel();
    this.end?.();
  }
}

/** The same by the endpoint: while a text is heard, the sound of the next one is fetched, and no other. */
class EndpointSpeaker {
  #context = new AudioContext();
  #control = new AbortController();
  /** Whether the text before the next one is being heard. */
  #begun = Promise.resolve();
  #last = Promise.resolve();
  #source;

  constructor(agent) {
    this.agent = agent;
  }

  say(text) {
    const sound = this.#begun.then(() => this.#fetch(text));
    this.#begun = new Promise((begin) => {
      this.#last = this.#last.then(async () => {
        const fetched = await sound;
        begin();
        await this.#play(fetched);
      });
      this.#control.signal.addEventListener('abort', begin, { once: true });
    });
    return this.#last;
  }

  async #fetch(text) {
    if (this.#control.signal.aborted) return undefined;
    const response = await ask('/speech/say', {
      body: JSON.stringify({ agent: this.agent, text }),
      headers: { 'content-type': 'application/json' },
      signal: this.#control.signal,
    });
    const bytes = await (await answerOf(response)).arrayBuffer();
    try {
      return await this.#context.decodeAudioData(bytes);
    } catch {
      throw new VoiceError(t('This browser cannot play what the server said. Choose another model under Providers.'));
    }
  }

  async #play(sound) {
    if (!sound || this.#control.signal.aborted) return;
    await this.#context.resume();
    await new Promise((resolve) => {
      const source = new AudioBufferSourceNode(this.#context, { buffer: sound });
      source.connect(this.#context.destination);
      source.onended = resolve;
      this.#control.signal.addEventListener('abort', resolve, { once: true });
      this.#source = source;
      source.start();
    });
  }

  stop() {
    this.#control.abort();
    this.#source?.stop();
    this.#context.close().catch(() => {});
  }
}

/** Says texts in their order; `say` is done when its text was heard. */
export function speaker({ agent, byEndpoint }) {
  return byEndpoint ? new EndpointSpeaker(agent) : new DeviceSpeaker();
}

/** Who stopped it knows. */
export const isStop = (error) => error?.name === 'AbortError';
