import type { Module } from '../../frame/module.ts';
import { route } from '../../kit/route.ts';
import { listAccessChanges } from './access-changes.contract.ts';
import type { AccessChanges } from './access-changes.service.ts';

/** Tells other surfaces whose access changed. */
export const createAccessChangesModule = (changes: AccessChanges): Module => ({
  name: 'access-changes',
  routes: [
    route(listAccessChanges, async ({ query }) => {
      const found = await changes.since(query.after ?? 0);
      return {
        latest: found.latest,
        changes: found.changes.map(({ seq, subject, subject_id }) => ({ seq, subject, subject_id })),
      };
    }),
  ],
});
