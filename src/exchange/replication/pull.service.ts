import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { createPauses } from '../../kit/pauses.ts';
import { inParts } from '../../platform/database/in-parts.ts';
import { FilesError } from '../../platform/files/files.ts';
import type { ConflictRecords, ConflictRow } from '../../world/conflict-records/index.ts';
import type { TemplateRegistry, TemplateSet } from '../../world/definitions/index.ts';
import { instantOf } from '../../world/mirror/index.ts';
import {
  CLOCK_SLACK_MS,
  issuedPosition,
  issueTime,
  logEnd,
  type Project,
  type RecordsDb,
} from '../../world/records/index.ts';
import { changesAfter } from './changes.ts';
import { type CursorPosition, type Cursors, REACH_MS } from './cursors.ts';
import {
  type ChangedFile,
  entitiesWithTexts,
  firstFileSince,
  type StoredEntity,
  seqsStillThere,
} from './pull.store.ts';

export interface PullRequest {
  since?: string | undefined;
  cursor?: string | undefined;
  limit: number;
  files: boolean;
}

/** Larger non-asset files are listed without content. */
const LARGEST_TEXT = 8_000_000;

const keyOf = (type: string | null, id: string | null): string => `${type}/${id}`;

export interface PullOptions {
  templates: TemplateRegistry;
  conflicts: ConflictRecords;
  cursors: Cursors;
  clock: Clock;
}

/** A project's content and changes, for its replicas. */
export function createPull({ templates, conflicts, cursors, clock }: PullOptions) {
  /** The starting position, and whether this is a fresh start because the cursor is unknown here. */
  async function beginning(
    project: Project,
    { cursor, since }: PullRequest,
  ): Promise<CursorPosition & { restored?: true }> {
    const instant = since === undefined ? undefined : instantOf(since);
    const at = clock.now();
    const everything = { seq: 0, at, complete: true };
    if (cursor !== undefined) {
      const position = await cursors.positionOf(project, cursor);
      if (position === 'of_another_history') return { ...everything, restored: true };
      return position === 'too_old' ? everything : position;
    }
    if (instant === undefined || instant < isoTime(at - REACH_MS)) return everything;
    const issued = await issuedPosition(project, instant);
    if (issued) return { seq: issued.seq, at: Date.parse(instant), complete: issued.listing };
    const end = await project.database.read((db: RecordsDb) => logEnd(db, project));
    if (instant < end.since) return everything;
    // Compared with the caller's clock; changes carry the times they began, by other clocks.
    const early = isoTime(Date.parse(instant) - CLOCK_SLACK_MS);
    return { seq: (await firstSince(project, early)) - 1, at, complete: false };
  }

  /** The first change at or after a time; the next number if there is none. */
  async function firstSince(project: Project, since: string): Promise<number> {
    const end = await project.database.read((db: RecordsDb) => logEnd(db, project));
    const file = await project.database.read((db: RecordsDb) => firstFileSince(db, project, since));
    const conflict = await conflicts.firstSince(project, since);
    return Math.min(end.seq + 1, file ?? Number.POSITIVE_INFINITY, conflict ?? Number.POSITIVE_INFINITY);
  }

  const findEntities = (
    project: Project,
    files: readonly ChangedFile[],
  ): Promise<Map<string, StoredEntity>> =>
    project.database.read(async (db: RecordsDb) => {
      const found = new Map<string, StoredEntity>();
      const named = files.filter(
        ({ entry_type, entity_id }) => entry_type === 'markdown' && entity_id !== null,
      );
      for (const [type, group] of Map.groupBy(named, ({ entity_type }) => entity_type ?? '')) {
        const ids = [...new Set(group.flatMap(({ entity_id }) => entity_id ?? []))];
        const rows = await inParts(ids, (part) => entitiesWithTexts(db, project, type, part));
        for (const row of rows) found.set(keyOf(type, row.entity_id), row);
      }
      return found;
    });

  /** Drops files replaced before their entities were read: they come again under a later number. */
  async function withoutOvertaken(
    project: Project,
    files: readonly ChangedFile[],
    stored: ReadonlyMap<string, StoredEntity>,
  ): Promise<readonly ChangedFile[]> {
    const isDoubtful = ({ entry_type, entity_type, entity_id, path, deleted_at }: ChangedFile): boolean =>
      entry_type === 'markdown' &&
      entity_id !== null &&
      stored.get(keyOf(entity_type, entity_id))?.path !== (deleted_at === null ? path : undefined);
    const doubtful = new Set(files.filter(isDoubtful).map(({ seq }) => seq));
    const current = await inParts([...doubtful], (part) =>
      project.database.read((db: RecordsDb) => seqsStillThere(db, project, part)),
    );
    const still = new Set(current);
    return files.filter(({ seq }) => !doubtful.has(seq) || still.has(seq));
  }

  async function showConflicts(project: Project, rows: readonly ConflictRow[], complete: boolean) {
    const listed = complete ? rows.filter(({ status }) => status === 'unresolved') : rows;
    return Promise.all(listed.map((row) => conflicts.show(project, row)));
  }

  return async (project: Project, request: PullRequest) => {
    const from = await beginning(project, request);
    const window = { after: from.seq, limit: request.limit, withFiles: request.files };
    const changes = await changesAfter(project, conflicts, window);
    const stored = await findEntities(project, changes.files);
    const files = await withoutOvertaken(project, changes.files, stored);
    const { entities, others } = sortOut(files, stored, await templates.of(project));
    // A full listing misses nothing: whatever moved meanwhile is on a later page.
    const isOvertaken = changes.isOvertaken || files.length < changes.files.length;
    const hasMore = changes.hasMore || (from.complete && isOvertaken);
    const position = {
      seq: changes.seq,
      at: from.complete && hasMore ? from.at : clock.now(),
      complete: from.complete && hasMore,
    };
    return {
      entities,
      ...(request.files && { files: await presentFiles(project, others) }),
      conflicts: await showConflicts(project, changes.conflicts, from.complete),
      listing: from.complete,
      complete: from.complete && !hasMore,
      ...(from.restored && { restored: true as const }),
      has_more: hasMore,
      cursor: await cursors.cursorOf(project, position),
      server_timestamp: await issueTime(
        project,
        { seq: position.seq, listing: position.complete },
        clock.now(),
      ),
    };
  };
}

export type Pull = ReturnType<typeof createPull>;

/** Separates entities, live and deleted, from other files. */
function sortOut(
  files: readonly ChangedFile[],
  stored: ReadonlyMap<string, StoredEntity>,
  { types }: TemplateSet,
) {
  const entities: ReturnType<typeof liveEntity | typeof deletedEntity>[] = [];
  const others: ChangedFile[] = [];
  const buried = new Set<string>();
  for (const file of mainFilesFirst(files, types)) {
    const key = keyOf(file.entity_type, file.entity_id);
    const entity = file.entry_type === 'markdown' ? stored.get(key) : undefined;
    const isOfNone = file.entry_type !== 'markdown' || file.entity_id === null;
    if (entity?.path === file.path && file.deleted_at === null) entities.push(liveEntity(entity));
    else if (isOfNone || entity || file.deleted_at === null || buried.has(key)) others.push(file);
    else {
      buried.add(key);
      entities.push(deletedEntity(file));
    }
  }
  return { entities, others };
}

/** Of several tombstones in a folder, the one with the specified name is the entity's. */
function mainFilesFirst(files: readonly ChangedFile[], types: TemplateSet['types']): ChangedFile[] {
  const isMain = ({ path, entity_type, entity_id }: ChangedFile): boolean => {
    const template = entity_type === null ? undefined : types.get(entity_type);
    return template !== undefined && entity_id !== null && path === entityFilePath(template, entity_id);
  };
  return [...files.filter(isMain), ...files.filter((file) => !isMain(file))];
}

function liveEntity(row: StoredEntity) {
  const { fields, markdown_body } = JSON.parse(row.json) as {
    fields: Record<string, unknown>;
    markdown_body: string;
  };
  const { entity_type, entity_id, version, path, file_checksum, name, status, updated_by, updated_at } = row;
  return {
    entity_type,
    entity_id,
    version,
    path,
    file_checksum,
    content: row.head + markdown_body,
    name,
    status,
    fields,
    markdown_body,
    updated_by,
    updated_at,
  };
}

const deletedEntity = ({ entity_type, entity_id, path, deleted_at }: ChangedFile) => ({
  entity_type: entity_type ?? '',
  entity_id: entity_id ?? '',
  deleted: true as const,
  path,
  updated_at: deleted_at ?? '',
});

async function presentFiles(project: Project, files: readonly ChangedFile[]) {
  const shown = [];
  const pause = createPauses();
  for (const file of files) {
    const found = file.deleted_at === null ? await presentFile(project, file) : gone(file);
    if (found) shown.push(found);
    await pause();
  }
  return shown;
}

const gone = ({ path }: ChangedFile) => ({ path, deleted: true as const });

/** Undefined if the file has just vanished: a sync will report it. */
async function presentFile(project: Project, { path, entry_type, sha256, size }: ChangedFile) {
  const known = { path, entry_type, sha256, size_bytes: size };
  if (entry_type === 'asset' || size > LARGEST_TEXT) return known;
  const bytes = await project.files.read(path).catch((error: unknown) => {
    if (error instanceof FilesError && ['not_found', 'not_a_file', 'outside'].includes(error.code))
      return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const decoded = decodeUtf8(bytes);
  return {
    ...known,
    sha256: sha256Hex(bytes),
    size_bytes: bytes.length,
    // JSON text must not contain NUL, although UTF-8 may.
    ...(decoded.ok && !decoded.text.includes('\0')
      ? { content: decoded.text, encoding: 'utf8' as const }
      : { content: Buffer.from(bytes).toString('base64'), encoding: 'base64' as const }),
  };
}
