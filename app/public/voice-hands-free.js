// A conversation without hands: it listens, sends what was said after a pause, reads the answer aloud as it comes, and
// listens again. Speaking or a press stops the reading at once.

import { t } from './words.js';
import { hearByDevice, hearByEndpoint, Loudness, openMicrophone, VoiceError, watch } from './voice-hearing.js';
import { isStop, sentencesOf, speaker, wordsOf } from './voice-speaking.js';

/** What is shown of each state, and what a press does then. */
const STATES = {
  listening: { words: t('Listening'), press: t('Send now') },
  writing: { words: t('Writing what you said'), press: undefined },
  thinking: { words: t('Thinking'), press: t('Speak now') },
  speaking: { words: t('Speaking'), press: t('Stop and speak') },
  waiting: { words: t('Waits for you on the screen'), press: t('Speak now') },
};

/** A message that nobody begins to answer is not waited for any longer. */
const UNANSWERED_MS = 20_000;
/** Listening that ends at once, so often in a row, is none. */
const MOST_FAILURES = 5;
const AT_ONCE_MS = 500;

export class HandsFree {
  #hears;
  #speaks;
  #agent;
  #form;
  #panel;
  #log;
  #stream;
  #heard;
  #speaker;
  #endAnswer;
  #isOver = false;
  #finish;
  #wakeLock;

  constructor({ form, agent, hears, speaks }) {
    this.#form = form;
    this.#agent = agent;
    this.#hears = hears;
    this.#speaks = speaks;
    this.#panel = form.querySelector('.hands-free');
    this.#log = document.querySelector('.transcript');
    /** Gives what went wrong, if something did. */
    this.over = new Promise((resolve) => (this.#finish = resolve));
    this.#run().catch((error) => this.end(error instanceof VoiceError ? error.message : t('This browser could not go on.')));
  }

  /** What a press does: the sentence is over, or the answer is. */
  interrupt() {
    if (this.#panel.dataset.state === 'listening') this.#heard?.stop();
    else this.#endAnswer?.();
  }

  end(why) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#heard?.abort();
    this.#speaker?.stop();
    this.#endAnswer?.();
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#wakeLock?.release().catch(() => {});
    this.#panel.hidden = true;
    this.#log?.setAttribute('aria-live', 'polite');
    this.#finish(why);
  }

  async #run() {
    this.#panel.hidden = false;
    // The answer is read here, and not by a screen reader at the same time.
    this.#log?.setAttribute('aria-live', 'off');
    this.#show('listening');
    this.#panel.querySelector('.hands-free-press').focus();
    this.#wakeLock = await navigator.wakeLock?.request('screen').catch(() => undefined);
    if (this.#hears) this.#stream = await openMicrophone();
    if (this.#isOver) {
      for (const track of this.#stream?.getTracks() ?? []) track.stop();
      this.#wakeLock?.release().catch(() => {});
      return;
    }
    let failures = 0;
    while (!this.#isOver) {
      const began = performance.now();
      const words = await this.#listen();
      if (this.#isOver) return;
      if (words) {
        failures = 0;
        await this.#answer(words);
        continue;
      }
      failures = performance.now() - began < AT_ONCE_MS ? failures + 1 : 0;
      if (failures > MOST_FAILURES) throw new VoiceError(t('The browser does not listen any more. Start again.'));
      if (failures > 0) await new Promise((resolve) => setTimeout(resolve, AT_ONCE_MS));
    }
  }

  #show(state) {
    const { words, press } = STATES[state];
    this.#panel.dataset.state = state;
    this.#panel.querySelector('.hands-free-state').textContent = words;
    const button = this.#panel.querySelector('.hands-free-press');
    // It keeps the focus, whatever it does next.
    button.textContent = press ?? STATES.thinking.press;
    button.disabled = false;
    button.setAttribute('aria-disabled', String(press === undefined));
  }

  #showWords(words) {
    this.#panel.querySelector('.hands-free-words').textContent = words;
  }

  async #listen() {
    this.#show('listening');
    this.#showWords('');
    const onWords = (words) => this.#showWords(words);
    this.#heard = this.#hears
      ? hearByEndpoint({ agent: this.#agent, stream: this.#stream, pause: true, onWriting: () => this.#show('writing') })
      : hearByDevice({ pause: true, onWords });
    const words = await this.#heard.done;
    this.#heard = undefined;
    this.#showWords(words);
    return words;
  }

  /** Sends the words as the composer does, and leaves what is being written there. */
  #send(words) {
    const field = this.#form.querySelector('textarea');
    const draft = field.value;
    field.value = words;
    this.#form.requestSubmit();
    field.value = draft;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** Returns when the answer was heard, or was stopped. */
  async #answer(words) {
    const old = new WeakSet(this.#messages());
    const began = performance.now();
    this.#show('thinking');
    this.#speaker = speaker({ agent: this.#agent, byEndpoint: this.#speaks });
    const watching = this.#watchForSpeech();
    /** Sentences of each new message that were given to the speaker, and those that are not heard yet. */
    const said = [];
    let unheard = 0;
    let hasBegun = false;
    let problem;
    let isAnswered = false;
    await new Promise((finish) => {
      const resolve = () => {
        isAnswered = true;
        finish();
      };
      const look = () => {
        if (isAnswered) return;
        if (this.#isOver) return resolve();
        const fresh = this.#messages().filter((message) => !old.has(message));
        const isAtWork = 'atWork' in this.#form.dataset;
        hasBegun ||= isAtWork || fresh.length > 0;
        let isBusy = isAtWork;
        fresh.forEach((message, index) => {
          const isWritten = !message.hasAttribute('aria-busy');
          isBusy ||= !isWritten;
          const sentences = sentencesOf(wordsOf(message.querySelector('.prose')));
          const whole = isWritten ? sentences.length : sentences.length - 1;
          for (let at = said[index] ?? 0; at < whole; at += 1) {
            said[index] = at + 1;
            unheard += 1;
            this.#speaker.say(sentences[at]).then(
              () => {
                unheard -= 1;
                look();
              },
              (error) => {
                if (!isStop(error)) problem ??= error;
                resolve();
              },
            );
          }
        });
        const failed = document.querySelector('.messages .message[data-status="failed"] .field-error');
        if (failed) {
          problem ??= new VoiceError(failed.textContent);
          return resolve();
        }
        if (unheard > 0) this.#show('speaking');
        else if ('waits' in this.#form.dataset) this.#show('waiting');
        else this.#show('thinking');
        const isLate = performance.now() - began > UNANSWERED_MS;
        if (unheard === 0 && !isBusy && (hasBegun || isLate)) resolve();
      };
      this.#endAnswer = resolve;
      const observer = new MutationObserver(look);
      observer.observe(this.#log, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-busy', 'data-status'] });
      observer.observe(this.#form, { attributes: true, attributeFilter: ['data-at-work', 'data-waits'] });
      const timer = setInterval(look, 1_000);
      this.#stopLooking = () => {
        observer.disconnect();
        clearInterval(timer);
      };
      this.#send(words);
    });
    this.#endAnswer = undefined;
    this.#stopLooking();
    watching.then((unwatch) => unwatch());
    this.#speaker.stop();
    if (problem) throw problem;
  }

  #stopLooking = () => {};

  /** Somebody who speaks while the answer is read stops it. */
  async #watchForSpeech() {
    // A device that listens by itself has the microphone in between.
    const stream = this.#stream ?? (await openMicrophone().catch(() => undefined));
    if (!stream) return () => {};
    const loudness = new Loudness({ startMs: 200, least: 0.03, factor: 5 });
    const unwatch = watch(stream, (level, ms) => {
      const event = loudness.note(level, ms);
      if (event === 'began' && this.#panel.dataset.state === 'speaking') this.#endAnswer?.();
    });
    return () => {
      unwatch();
      if (stream !== this.#stream) for (const track of stream.getTracks()) track.stop();
    };
  }

  #messages() {
    return [...document.querySelectorAll('.messages .message[data-from="agent"]')].filter((message) => message.querySelector('.prose'));
  }
}
