import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { templatesModule } from '../definitions/index.ts';
import { createConflictCopies } from './conflict-copies.ts';
import { createConflictFiles } from './conflict-files.ts';
import { createConflictRecords } from './conflict-records.ts';
import { conflictMigrations } from './conflicts.tables.ts';
import { createEarlierTries } from './earlier-tries.ts';

export const conflictRecordsModule = defineModule({
  name: 'conflict records',
  uses: { templates: templatesModule },
  tables: conflictMigrations,
  create({ clock, log }: CoreContext, { templates }) {
    const files = createConflictFiles({ log: log.child('conflicts') });
    const records = createConflictRecords({ templates, files, clock });
    return {
      service: {
        files,
        records,
        closeEarlierTries: createEarlierTries({ files, clock }),
        noteCopy: createConflictCopies({ templates, records }),
      },
    };
  },
});
