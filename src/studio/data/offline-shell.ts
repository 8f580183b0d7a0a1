const WORKER = '/sw.js';

/**
 * Keeps the files of the app in the browser, so that it opens without a network. Browsers offer this on https and on
 * loopback alone; elsewhere the app works as long as the service answers.
 */
export async function keepShell(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  // The page's policy lets this one text become the address of a script, once.
  const policy = window.trustedTypes?.createPolicy('service-worker', { createScriptURL: () => WORKER });
  const address = policy?.createScriptURL(WORKER) ?? WORKER;
  await navigator.serviceWorker.register(address);
}
