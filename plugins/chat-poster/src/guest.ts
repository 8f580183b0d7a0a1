import { type Change, defineHooks, defineRoutes, kv, log, request, settings } from '../../kit/guest.ts';
import { createPoster } from './parts/poster.ts';
import { readSettings } from './parts/settings.ts';

const poster = createPoster({
  settings: () => readSettings(settings()),
  kv,
  request,
  warn: log.warn,
  now: Date.now,
});

const tell = (action: 'created' | 'deleted', { entityType, id, entity }: Change) =>
  poster.tell({ action, type: entityType, id, name: entity.name });

export const hooks = defineHooks({
  onEntityCreate: (change) => tell('created', change),
  onEntityDelete: (change) => tell('deleted', change),
  onProjectInit: () => log.info('what changes from now on is posted'),
});

const ADMINS: ReadonlySet<string> = new Set(['admin', 'owner']);

/** For admins: what waits, to post it now, and to try the address. */
export const routes = defineRoutes(({ method, path, user }) => {
  if (!ADMINS.has(user.role)) return { status: 403, body: { detail: 'Only admins may do this' } };
  if (method === 'GET' && path === '/status') return { body: poster.status() };
  if (method === 'POST' && path === '/send') return { body: poster.flush() };
  if (method !== 'POST' || path !== '/test')
    return { status: 404, body: { detail: 'There are GET status, POST send and POST test' } };
  const error = poster.test();
  return error === null ? { body: { posted: true } } : { status: 409, body: { detail: error } };
});
