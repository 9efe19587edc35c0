// Voice: what is spoken goes into the composer, an answer is read aloud, and a conversation is held without hands. The
// device does it, or an endpoint of the person's, as the page says. What cannot be done here has no button.
(() => {
  'use strict';
  const root = document.documentElement;
  const synthesis = globalThis.speechSynthesis;
  if (globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition) root.dataset.listens = '';
  if (synthesis) root.dataset.speaks = '';
  if (globalThis.MediaRecorder && navigator.mediaDevices && globalThis.AudioContext) root.dataset.records = '';
  if (globalThis.AudioContext) root.dataset.plays = '';

  // The words of the reader's language, which the document has where that is not English.
  const known = JSON.parse(document.getElementById('words')?.textContent ?? '{}');
  const t = (english) => known[english] ?? english;

  const hearing = () => import('./voice-hearing.js');
  const speaking = () => import('./voice-speaking.js');

  /** Says what the button does next. */
  const name = (button, words) => {
    button.setAttribute('aria-label', words);
    button.title = words;
  };

  /** What the page says about the person's endpoints. */
  const placeOf = (element) => {
    const page = element.closest('[data-speech-agent]');
    return {
      agent: page?.dataset.speechAgent ?? '',
      hears: page?.dataset.speechHears !== undefined && 'records' in root.dataset,
      speaks: page?.dataset.speechSpeaks !== undefined && 'plays' in root.dataset,
    };
  };

  const tell = (form, words) => {
    const says = form?.querySelector('.voice-says');
    if (says) says.textContent = words;
  };

  // ----- Reading aloud -----

  /** The button whose answer is being read, and what reads it. */
  let reading;

  const rest = () => {
    if (!reading) return;
    const { button, speaker } = reading;
    reading = undefined;
    delete button.dataset.on;
    name(button, t('Read aloud'));
    speaker?.stop();
  };

  const read = async (button) => {
    const isStopped = reading?.button === button;
    rest();
    if (isStopped) return;
    const answer = button.closest('.message')?.querySelector('.prose');
    if (!answer) return;
    const own = { button };
    reading = own;
    button.dataset.on = '';
    name(button, t('Stop reading'));
    const form = document.querySelector('form.composer');
    tell(form, '');
    const { sentencesOf, wordsOf, speaker, isStop } = await speaking();
    if (reading !== own) return;
    const { agent, speaks } = placeOf(button);
    own.speaker = speaker({ agent, byEndpoint: speaks });
    // An endpoint is asked for a sentence at a time, so that the first is soon heard.
    const text = wordsOf(answer);
    const texts = speaks ? sentencesOf(text) : [text];
    try {
      await Promise.all(texts.map((part) => own.speaker.say(part)));
    } catch (error) {
      if (reading === own && !isStop(error)) tell(form, error.message);
    }
    if (reading === own) rest();
  };

  // ----- Dictation -----

  /** What listens, while it does. */
  let listening;

  const dictate = async (button) => {
    if (listening) {
      listening.isStopped = true;
      listening.heard?.stop();
      return;
    }
    const form = button.closest('form');
    const field = form?.querySelector('textarea');
    if (!field) return;
    const own = {};
    listening = own;
    // Who speaks wants no other voice.
    rest();
    tell(form, '');
    button.dataset.on = '';
    name(button, t('Stop dictating'));
    const { hearByDevice, hearByEndpoint } = await hearing();
    const before = field.value && !/\s$/.test(field.value) ? `${field.value} ` : field.value;
    const write = (words) => {
      if (listening !== own || !words) return;
      field.value = before + words;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    const { agent, hears } = placeOf(button);
    try {
      // What was stopped before it could listen does not begin.
      if (listening === own && !own.isStopped) {
        const onSpeech = () => (button.dataset.on = 'heard');
        own.heard = hears
          ? hearByEndpoint({ agent, onSpeech, onWriting: () => name(button, t('Writing what you said')) })
          : hearByDevice({ onSpeech, onWords: write });
        write(await own.heard.done);
      }
    } catch (error) {
      tell(form, error.message);
    }
    if (listening === own) listening = undefined;
    delete button.dataset.on;
    name(button, t('Dictate'));
    if (!document.querySelector('.hands-free:not([hidden])')) field.focus();
  };

  /** Words that were sent are not written again by what was still being heard. */
  const forget = () => {
    const { heard } = listening ?? {};
    listening = undefined;
    heard?.abort();
  };

  // ----- Hands-free -----

  /** The session, while there is one. */
  let session;

  const talk = async (button) => {
    if (session) return session.end();
    const form = button.closest('form');
    if (!form) return;
    forget();
    rest();
    tell(form, '');
    const { HandsFree } = await import('./voice-hands-free.js');
    if (session) return;
    const { agent, hears, speaks } = placeOf(button);
    session = new HandsFree({ form, agent, hears, speaks });
    button.dataset.on = '';
    name(button, t('End the hands-free conversation'));
    const why = await session.over;
    session = undefined;
    delete button.dataset.on;
    name(button, t('Talk hands-free'));
    tell(form, why ?? '');
    button.focus();
  };

  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('[data-voice]');
    if (!button) return;
    if (button.dataset.voice === 'read') read(button);
    else if (button.dataset.voice === 'dictate') dictate(button);
    else if (button.dataset.voice === 'hands-free') talk(button);
    else if (button.dataset.voice === 'interrupt') session?.interrupt();
    else session?.end();
  });
  document.addEventListener('submit', forget, true);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter' && !event.shiftKey) forget();
      // No key that writes: a word that is being written is not lost to it.
      if (event.altKey && event.shiftKey && event.code === 'KeyV' && !event.repeat) {
        const button = document.querySelector('[data-voice="hands-free"]');
        if (!button || button.offsetParent === null) return;
        event.preventDefault();
        button.click();
      } else if (session && event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        session.end();
      }
    },
    true,
  );
  window.navigation?.addEventListener('currententrychange', () => {
    listening?.heard?.stop();
    session?.end();
    rest();
  });
})();
