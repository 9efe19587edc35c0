// @ts-check
// Opens the port once the document has loaded, and passes each message on.

let shown = NativePromise.resolve();

/** @param {ToSkin} message */
function receive(message) {
  switch (message.type) {
    case 'show':
      shown = show(message);
      break;
    case 'perform':
      perform(message);
      break;
    case 'state':
      receiveState(message);
      break;
    case 'answered':
      receiveAnswer(message);
      break;
    case 'reply':
      receiveReply(message);
      break;
    case 'part': {
      const { fields, typing } = typedSoFar();
      send({ type: 'typed', fields, typing });
      break;
    }
    case 'ping':
      send({ type: 'pong' });
      break;
  }
}

/** @param {Perform} message */
async function perform({ request, command }) {
  await shown;
  sortOutChanges();
  const capture = startCapture();
  const outcome = command.type === 'dom' ? await runDom(command.input) : await performRunJs(command.code, command.timeout_ms);
  await settle();
  keepChanges();
  capture.stop();
  if (command.type === 'run_js' || capture.lines.length > 0) outcome.result.console = capture.lines;
  send({ type: 'performed', request, done: withPage(outcome) });
}

/**
 * @param {any} input
 * @returns {Promise<Outcome>}
 */
async function runDom(input) {
  try {
    return { result: await performDom(input), isError: false };
  } catch (error) {
    return { result: { error: messageOf(error) }, isError: true };
  }
}

document.currentScript?.remove();
on(
  window,
  'load',
  () =>
    sayHello((port) => {
      setHtml(headOf(document), '');
      watchChanges();
      openPort(port, receive);
      send({ type: 'ready' });
    }),
  { once: true },
);
