/// <reference lib="webworker" />

declare const self: ServiceWorkerGlobalScope;

/** The build fills in both: a name for itself, and its files with spaces in between. */
const BUILD = '@build@';
const FILES = '@files@'.split(' ');

const PREFIX = 'studio-';
const CACHE = `${PREFIX}${BUILD}`;
/** Each address of the app is answered with the same page. */
const PAGE = '/';
const APP =
  /^\/(?:$|w(?:\/|$)|me\/|admin\/|(?:welcome|sign-in|register|forgot-password|reset-password|accept-invite)$)/;
/** The files of the build before are kept: windows that were open during an update still load parts of it. */
const KEPT_BUILDS = 2;
self.addEventListener('install', (event) => {
  event.waitUntil(keepFiles().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldBuilds().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/studio/')) event.respondWith(keptOrLoaded(request));
  else if (request.mode === 'navigate' && APP.test(pathname)) event.respondWith(page(request));
});

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...FILES.map((path) => `/studio/${path}`)]);
}

async function forgetOldBuilds(): Promise<void> {
  const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const old = builds.slice(0, Math.max(0, builds.length + 1 - KEPT_BUILDS));
  await Promise.all(old.map((name) => caches.delete(name)));
}

const keptOrLoaded = async (request: Request): Promise<Response> =>
  (await caches.match(request)) ?? fetch(request);

/** The page of this build is shown at once, with or without a network; a new build brings a new worker. */
async function page(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(PAGE)) ?? fetch(request);
}
