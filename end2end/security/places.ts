// Where a vector is tried, and how it gets there: through the frame's own port, as what an agent sends.

import { addressOf, nameOf, portOf } from './world/addresses.mjs';
import type { FrameOrder } from './frames.ts';
import { aim, type Vector } from './vectors.ts';

export interface Place {
  name: string;
  /** Nothing may get out of it: it is in a world of its own, with others like it. */
  isSealed: boolean;
  /** Some of the defences are taken out. */
  isWeakened: boolean;
  harness: string;
  frame: 'skin' | 'loop';
  inWorker: boolean;
  /** The query of the frame's address: what the door takes out. */
  query: string;
  sandbox: string | null;
}

// A page that keeps the frames in it: what the headers hold, without our script.
const NESTED = 'nested=kept';

const SKIN_SANDBOX = 'allow-scripts allow-forms';
const LOOP_SANDBOX = 'allow-scripts';

const sealed = { isSealed: true, isWeakened: false, harness: '/harness', query: '' };
const bare = { isSealed: false, isWeakened: false, harness: '/harness?without=all', query: `without=all&${NESTED}`, sandbox: null };
const weakened = { isSealed: false, isWeakened: true, frame: 'skin', inWorker: false, sandbox: SKIN_SANDBOX } as const;

const NO_POLICY = `without=content-security-policy&${NESTED}`;
// And without what speaks of lookups alone: the allow-list holds those too.
const NO_ALLOW_LIST = `without=connection-allowlist&without=x-dns-prefetch-control&${NESTED}`;
// A browser does not take hundreds of frames with a process each.
const ONE_PROCESS = 'without=document-isolation-policy';

export const PLACES = {
  skin: { ...sealed, name: 'skin', frame: 'skin', inWorker: false, sandbox: SKIN_SANDBOX },
  skinNested: { ...sealed, name: 'skin that keeps frames', query: NESTED, frame: 'skin', inWorker: false, sandbox: SKIN_SANDBOX },
  skinWorker: { ...sealed, name: 'worker of the skin', frame: 'skin', inWorker: true, sandbox: SKIN_SANDBOX },
  loopWorker: { ...sealed, name: 'worker of the loop', frame: 'loop', inWorker: true, sandbox: LOOP_SANDBOX },
  page: { ...bare, name: 'unprotected page', frame: 'skin', inWorker: false },
  pageWorker: { ...bare, name: 'its worker', frame: 'skin', inWorker: true },
  loopControl: { ...bare, name: 'unprotected loop', frame: 'loop', inWorker: true },
  noAllowList: { ...weakened, name: 'without the allow-list', harness: '/harness', query: `${NO_ALLOW_LIST}&${ONE_PROCESS}` },
  noPolicy: { ...weakened, name: 'nor the policy', harness: '/harness', query: `${NO_POLICY}&${NO_ALLOW_LIST}&${ONE_PROCESS}` },
  noFrameSource: { ...weakened, name: 'nor frame-src', harness: '/harness?frames=any', query: `${NO_ALLOW_LIST}&${ONE_PROCESS}` },
  allowListAlone: { ...weakened, name: 'the allow-list alone', harness: '/harness?frames=any', query: `${NO_POLICY}&${ONE_PROCESS}` },
} satisfies Record<string, Place>;

export type PlaceKey = keyof typeof PLACES;

/** The places as a browser meets them. */
export const SEALED: PlaceKey[] = ['skin', 'skinNested', 'skinWorker', 'loopWorker'];

/** The places where nothing is in a vector's way. */
export const UNPROTECTED: PlaceKey[] = ['page', 'pageWorker', 'loopControl'];

/** Whether a vector gets out of such a place when nothing is in its way. */
export function fires(vector: Vector, place: Place): boolean {
  return vector.silent !== 'both' && vector.silent !== (place.inWorker ? 'worker' : 'page');
}

/** Weakened places show what the other defences keep in: vectors that the sandbox's flags hold say nothing there. */
export function isTried(vector: Vector, place: Place): boolean {
  const fits = vector.in === 'both' || vector.in === (place.inWorker ? 'worker' : 'page');
  return fits && (!place.isWeakened || (fires(vector, place) && !vector.alone));
}

/** Makes the frame that tries `vector` in `place` under `number`. */
export function order(vector: Vector, place: Place, number: number): FrameOrder {
  const target = { name: nameOf(number), address: addressOf(number), port: portOf(number) };
  const code = vector.code === undefined ? '' : aim(vector.code, target);
  const query = vector.reports && place.query.startsWith('without=all') ? `${place.query}&report=${target.name}` : place.query;
  const inPage = {
    head: aim(vector.head ?? '', target),
    body: vector.code === undefined ? `<script>${RAN}</script>${aim(vector.body ?? '', target)}` : '',
    code: vector.code === undefined ? null : `${RAN};\n${code}`,
  };
  const inWorker = { head: '', body: '', code: startWorker(workerScript(code)) };
  return {
    number,
    frame: place.frame,
    address: `/sandbox/${place.frame}?${query}`,
    sandbox: place.sandbox,
    ...(place.inWorker ? inWorker : inPage),
    glue: place.frame === 'loop' ? loopScript(code) : '',
    removed: vector.whenRemoved ?? false,
  };
}

const RAN = "flo.notify('ran')";

function workerScript(code: string): string {
  return `postMessage('ran'); (async () => { ${code} })()`;
}

function startWorker(script: string): string {
  return `
    const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}])));
    await new Promise((resolve) => { worker.onmessage = resolve; });
    ${RAN}`;
}

/** Takes the port as the worker's own script does, and says over it that it runs. */
function loopScript(code: string): string {
  const ran = JSON.stringify(JSON.stringify({ type: 'notify', name: 'ran' }));
  return `
    onmessage = ({ data }) => {
      data.port.postMessage(${ran});
      (async () => { ${code} })();
    };
    postMessage('listening');`;
}
