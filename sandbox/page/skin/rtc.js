// Takes WebRTC away before any script of the page runs: it announces itself in the local network by
// multicast, which no header stops.

for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) {
  delete (/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window))[name]);
}
