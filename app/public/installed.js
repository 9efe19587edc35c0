// Where the hub was installed as an app: what is read is kept on this device, for when the hub cannot be reached.
(() => {
  'use strict';
  /** A page that somebody only passes through is not kept. */
  const READ_MS = 2000;
  const { serviceWorker } = navigator;
  if (!serviceWorker || !matchMedia('(display-mode: standalone)').matches) return;

  const tell = async () => (await serviceWorker.ready).active.postMessage({ read: location.pathname });
  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(tell, READ_MS);
  };

  // A browser that keeps nothing goes on without.
  serviceWorker.register('/service-worker.js?keep').then(soon, () => {});
  // Most pages are opened without a document of their own.
  window.navigation?.addEventListener('currententrychange', soon);
  // As it stands when somebody leaves.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) tell();
  });
})();
