import { type Clock, isoTime } from '../../kit/clock.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import type { Project } from '../records/index.ts';
import type { ConflictFiles } from './conflict-files.ts';
import { findConflictRow, markResolved, triesOf } from './conflicts.store.ts';
import type { ConflictDb, ConflictSide } from './conflicts.tables.ts';

/** A save that was made from a version on which the same user's earlier saves had failed. */
export interface LaterSave {
  row_id: number;
  actor: string;
  base_version: number;
  /** Fields and attributes, as the request named them. */
  given: JsonMap;
}

/**
 * Closes the conflicts that the user's earlier saves of this entity left, as far as this save says what becomes of all that
 * overlapped. Their texts stay in the resolved records.
 */
export function createEarlierTries({ files, clock }: { files: ConflictFiles; clock: Clock }) {
  return async (project: Project, { row_id, actor, base_version, given }: LaterSave): Promise<void> => {
    for (const { conflict_id, conflicting_fields } of await triesOf(project, row_id, actor)) {
      if (!(JSON.parse(conflicting_fields) as string[]).every((field) => decides(given, field))) continue;
      const record = await findConflictRow(project, conflict_id);
      const seen = record && (JSON.parse(record.local) as ConflictSide).version;
      if (typeof seen !== 'number' || seen > base_version) continue;
      const how = { resolution: 'merged', resolved_at: isoTime(clock.now()), resolved_by: actor } as const;
      await project.database.write((db: ConflictDb) => markResolved(db, project, conflict_id, how));
      // The next full sync removes files that are left.
      await files.remove(project, conflict_id).catch(() => {});
    }
  };
}

/** No request can say what becomes of comments. */
const decides = (given: JsonMap, field: string): boolean =>
  field === 'frontmatter_comments' || gives(given, field.split('.'));

function gives(given: JsonMap, [key = '', ...rest]: string[]): boolean {
  if (!Object.hasOwn(given, key)) return false;
  const value = given[key];
  return rest.length === 0 || !isMap(value) || Object.hasOwn(value, '$replace') || gives(value, rest);
}
