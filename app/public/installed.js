// Where the hub was installed as an app: what is read is kept on this device, for when the hub cannot be reached.
(() => {
  'use strict';
  /** A page that somebody only passes through is not kept. */
  const READ_MS = 2000;
  const { serviceWorker } = navigator;
  if (!serviceWorker || !matchMedia('(display-mode: standalone)').matches) return;

  // Files that are opened with the app go the way of those that another app shares.
  window.launchQueue?.setConsumer(async ({ files }) => {
    if (!files?.length) return;
    const opened = new DataTransfer();
    for (const file of await Promise.all([...files].map((handle) => handle.getFile()))) opened.items.add(file);
    const field = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true });
    field.files = opened.files;
    const form = Object.assign(document.createElement('form'), { method: 'post', action: '/share-target', enctype: 'multipart/form-data', hidden: true });
    form.append(field);
    document.body.append(form);
    form.submit();
  });

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
