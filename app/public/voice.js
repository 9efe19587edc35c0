// Voice, as far as this device has one: what is spoken goes into the composer, and an answer is read aloud. What cannot be
// done here has no button.
(() => {
  'use strict';
  const root = document.documentElement;
  const Recognition = globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;
  const synthesis = globalThis.speechSynthesis;
  if (Recognition) root.dataset.listens = '';
  if (synthesis) root.dataset.speaks = '';

  /** Says what the button does next. */
  const name = (button, words) => {
    button.setAttribute('aria-label', words);
    button.title = words;
  };

  // ----- Reading aloud -----

  /** The button whose answer is being read. */
  let reading;

  const rest = () => {
    if (!reading) return;
    delete reading.dataset.on;
    name(reading, 'Read aloud');
    reading = undefined;
  };

  /** What there is to hear of an answer: its words, and that there is code. */
  const words = (answer) => {
    const copy = answer.cloneNode(true);
    for (const code of copy.querySelectorAll('.code-block')) code.replaceWith(' … ');
    for (const block of copy.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6, tr')) block.append('\n');
    return copy.textContent.trim();
  };

  /** The language of the text where the browser can tell, otherwise that of the person. */
  const languageOf = async (text) => {
    try {
      if ((await globalThis.LanguageDetector?.availability()) === 'available') {
        const [best] = await (await LanguageDetector.create()).detect(text);
        if (best && best.confidence > 0.5) return best.detectedLanguage;
      }
    } catch {
      // The person's own is right more often than not.
    }
    return navigator.language;
  };

  const read = async (button) => {
    const isStopped = reading === button;
    synthesis.cancel();
    rest();
    if (isStopped) return;
    const answer = button.closest('.message')?.querySelector('.prose');
    if (!answer) return;
    reading = button;
    button.dataset.on = '';
    name(button, 'Stop reading');
    const text = words(answer);
    const language = await languageOf(text);
    if (reading !== button) return;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = language;
    utterance.onend = utterance.onerror = () => {
      if (reading === button) rest();
    };
    synthesis.speak(utterance);
  };

  // ----- Dictation -----

  /** What listens, while it does. */
  let listening;

  /** On the device itself, where the browser can do that: what is said then goes nowhere else. */
  const stayHere = async (recognition) => {
    const options = { langs: [recognition.lang], processLocally: true };
    try {
      if ((await Recognition.available?.(options)) === 'available') recognition.processLocally = true;
    } catch {
      // A browser that does not know of it asks its maker.
    }
  };

  const dictate = async (button) => {
    if (listening) return listening.stop();
    const form = button.closest('form');
    const [field, says] = [form?.querySelector('textarea'), form?.querySelector('.voice-says')];
    if (!field || !says) return;
    const recognition = new Recognition();
    listening = recognition;
    // Who speaks wants no other voice.
    synthesis?.cancel();
    recognition.lang = navigator.language;
    recognition.continuous = true;
    recognition.interimResults = true;
    await stayHere(recognition);
    const before = field.value && !/\s$/.test(field.value) ? `${field.value} ` : field.value;
    recognition.onresult = ({ results }) => {
      field.value = before + [...results].map(([best]) => best.transcript).join('').trimStart();
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    recognition.onerror = ({ error }) => {
      const why = {
        'not-allowed': 'The browser does not let this page listen: allow the microphone and try again',
        'audio-capture': 'There is no microphone',
        network: 'The browser could not reach what it listens with',
      }[error];
      if (why) says.textContent = `${why}.`;
    };
    recognition.onend = () => {
      listening = undefined;
      delete button.dataset.on;
      name(button, 'Dictate');
      field.focus();
    };
    says.textContent = '';
    button.dataset.on = '';
    name(button, 'Stop dictating');
    try {
      recognition.start();
    } catch {
      recognition.onend();
    }
  };

  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('[data-voice]');
    if (!button) return;
    if (button.dataset.voice === 'read') read(button);
    else dictate(button);
  });
  /** Words that were sent are not written again by what was still being heard. */
  const forget = () => {
    if (!listening) return;
    listening.onresult = null;
    listening.abort();
  };
  document.addEventListener('submit', forget, true);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter' && !event.shiftKey) forget();
    },
    true,
  );
  window.navigation?.addEventListener('currententrychange', () => {
    listening?.stop();
    synthesis?.cancel();
    rest();
  });
})();
