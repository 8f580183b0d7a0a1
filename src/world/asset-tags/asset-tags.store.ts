import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { type Project, type Scope, scopeColumns } from '../records/index.ts';
import type {
  SuggestionStatus,
  TagDb,
  TagRequestsTable,
  TagRunsTable,
  TagState,
  TagSuggestionsTable,
} from './asset-tags.tables.ts';

type RunRow = TagRunsTable;
type RequestRow = TagRequestsTable;
type SuggestionRow = TagSuggestionsTable;

export const putRun = (db: TagDb, run: RunRow) => db.insertInto('asset_tag_runs').values(run).execute();

export const findRun = (db: TagDb, scope: Scope, runId: string): Promise<RunRow | undefined> =>
  inProject(db, scope)
    .selectFrom('asset_tag_runs')
    .selectAll()
    .where('run_id', '=', runId)
    .executeTakeFirst();

export const findRequests = (db: TagDb, scope: Scope, assetIds: readonly string[]): Promise<RequestRow[]> =>
  inParts(assetIds, (part) =>
    inProject(db, scope).selectFrom('asset_tag_requests').selectAll().where('asset_id', 'in', part).execute(),
  );

export const putRequests = (
  { database: { dialect } }: Project,
  db: TagDb,
  rows: readonly RequestRow[],
): Promise<void> =>
  rows.length === 0
    ? Promise.resolve()
    : dialect.upsert(db, 'asset_tag_requests', rows, {
        conflict: ['tenant_id', 'project_id', 'asset_id'],
        update: ['run_id', 'state', 'sha256', 'model', 'credits', 'reason'],
      });

/** Only as long as no other run has asked for the asset. */
export const changeRequest = (
  db: TagDb,
  scope: Scope,
  { asset_id, run_id }: Pick<RequestRow, 'asset_id' | 'run_id'>,
  change: Partial<Pick<RequestRow, 'state' | 'sha256' | 'model' | 'credits' | 'reason'>>,
) =>
  inProject(db, scope)
    .updateTable('asset_tag_requests')
    .set(change)
    .where('asset_id', '=', asset_id)
    .where('run_id', '=', run_id)
    .execute();

/** Assets of a run by state, and the credits of all. */
export async function countRun(
  db: TagDb,
  scope: Scope,
  runId: string,
): Promise<Record<TagState, number> & { credits: number }> {
  const rows = await inProject(db, scope)
    .selectFrom('asset_tag_requests')
    .select((eb) => [
      'state',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('credits').as('credits'),
    ])
    .where('run_id', '=', runId)
    .groupBy('state')
    .execute();
  const counted = { waiting: 0, done: 0, skipped: 0, credits: 0 };
  for (const { state, count, credits } of rows) {
    counted[state] = Number(count);
    counted.credits += Number(credits);
  }
  return counted;
}

export const listSuggestions = (db: TagDb, scope: Scope, assetId: string): Promise<SuggestionRow[]> =>
  inProject(db, scope)
    .selectFrom('asset_tag_suggestions')
    .selectAll()
    .where('asset_id', '=', assetId)
    .orderBy('confidence', 'desc')
    .orderBy('tag')
    .execute();

/** New suggestions take the place of those that nobody has decided on; decisions stay. */
export async function replacePending(
  { database: { dialect }, ...scope }: Project,
  db: TagDb,
  assetId: string,
  rows: readonly Omit<SuggestionRow, 'tenant_id' | 'project_id'>[],
): Promise<void> {
  await inProject(db, scope)
    .deleteFrom('asset_tag_suggestions')
    .where('asset_id', '=', assetId)
    .where('status', '=', 'pending')
    .execute();
  if (rows.length === 0) return;
  const all = rows.map((row) => ({ ...row, ...scopeColumns(scope) }));
  await dialect.upsert(db, 'asset_tag_suggestions', all, {
    conflict: ['tenant_id', 'project_id', 'asset_id', 'tag'],
    update: [],
  });
}

export const decide = (
  db: TagDb,
  scope: Scope,
  assetId: string,
  tags: readonly string[],
  decision: { status: SuggestionStatus; decided_at: string; decided_by: string | null },
) =>
  inProject(db, scope)
    .updateTable('asset_tag_suggestions')
    .set(decision)
    .where('asset_id', '=', assetId)
    .where('tag', 'in', tags)
    .execute();
