import type { TemplateRegistry } from '../definitions/index.ts';
import { findFiles, type Project, type RecordsDb } from '../records/index.ts';
import type { ScannerSession } from './scanner-session.ts';

export interface FolderChange {
  path: string;
  change: 'added' | 'modified' | 'deleted';
  entity_type: string | null;
  entity_id: string | null;
}

export interface FolderChanges {
  changes: FolderChange[];
  total: number;
}

const MOST_LISTED = 1_000;

/** Returns the changes that a sync would import: files are read if their stat differs, and compared by hash. */
export async function compareFolder(
  project: Project,
  templates: TemplateRegistry,
  session: ScannerSession,
): Promise<FolderChanges> {
  const found: FolderChanges = { changes: [], total: 0 };
  let vanished: readonly string[] = [];
  const add = (change: FolderChange) => {
    found.total += 1;
    if (found.changes.length < MOST_LISTED) found.changes.push(change);
  };
  const rowsOf = (paths: readonly string[]) =>
    project.database.read((db: RecordsDb) => findFiles(db, project, paths));
  const set = await templates.of(project);
  await session.prepare(set, null);
  session.useTemplates(set);
  await session.scan(
    { under: null, reread: 'none' },
    {
      onWalked(summary) {
        vanished = summary.vanished;
      },
      async onItems(items) {
        const rows = await rowsOf(items.map((item) => item.record.path));
        for (const { record, state } of items) {
          const row = rows.get(record.path);
          const isThere = row !== undefined && row.deleted_at === null;
          if (isThere && row.sha256 === record.sha256) continue;
          const { path, entity_type } = record;
          const entity_id = state?.entity_id ?? record.entity_id;
          add({ path, change: isThere ? 'modified' : 'added', entity_type, entity_id });
        }
      },
    },
  );
  const gone = await rowsOf(vanished.slice(0, MOST_LISTED));
  for (const path of vanished) {
    const row = gone.get(path);
    add({
      path,
      change: 'deleted',
      entity_type: row?.entity_type ?? null,
      entity_id: row?.entity_id ?? null,
    });
  }
  return found;
}
