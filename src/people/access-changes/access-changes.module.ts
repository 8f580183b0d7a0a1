import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { route } from '../../kit/route.ts';
import { listAccessChanges } from './access-changes.contract.ts';
import { createAccessChanges } from './access-changes.service.ts';
import { accessMigrations } from './access-changes.tables.ts';

/** Tells other surfaces whose access has changed. */
export const accessChangesModule = defineModule({
  name: 'access-changes',
  tags: {
    'Between services': 'What surfaces ask each other, with the service token.',
  },
  tables: accessMigrations,
  create({ database, clock }: Base) {
    const changes = createAccessChanges({ database, clock });
    return {
      routes: [
        route(listAccessChanges, async ({ query }) => {
          const found = await changes.since(query.after ?? 0);
          return {
            latest: found.latest,
            changes: found.changes.map(({ seq, subject, subject_id }) => ({ seq, subject, subject_id })),
          };
        }),
      ],
    };
  },
});
