import { defineRoutes, entities, settings } from '../../kit/guest.ts';
import { answer } from './parts/answer.ts';

export const routes = defineRoutes(({ method, path, query }) => {
  if (method !== 'GET') return { status: 404, body: { detail: 'Names are asked for by GET' } };
  return answer(
    {
      cultures: () => String(settings().cultures ?? ''),
      listIds: (type) => entities.listIds(type),
      nameOf: (type, id) => entities.get(type, id)?.name ?? null,
      search: (words) => entities.search(words, 100),
      now: Date.now,
      anySeed: () => Math.random().toString(36).slice(2),
    },
    path,
    query,
  );
});
