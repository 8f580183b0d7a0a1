import type { TemplateRegistry } from '../definitions/index.ts';
import type { Project, RecordsDb } from '../records/index.ts';
import { type ActivityRow, newestRows } from './activity.store.ts';
import { cursorText, placeAt } from './activity-cursor.ts';

export function createActivity({ templates }: { templates: TemplateRegistry }) {
  return {
    async page(project: Project, { cursor, limit }: { cursor: string | undefined; limit: number }) {
      const before = cursor === undefined ? null : placeAt(cursor);
      const types = [...(await templates.upToDate(project)).types.keys()];
      const rows = await project.database.read((db: RecordsDb) =>
        newestRows(db, project, { types, before, limit: limit + 1 }),
      );
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return {
        items: shown.map(itemOf),
        next_cursor: last === undefined ? null : cursorText({ at: last.at, rowId: last.row_id }),
      };
    },
  };
}

export type Activity = ReturnType<typeof createActivity>;

const itemOf = ({ row_id: _, is_deleted, ...row }: ActivityRow) => ({
  what:
    is_deleted === 1 ? ('deleted' as const) : row.version === 1 ? ('created' as const) : ('changed' as const),
  ...row,
});
