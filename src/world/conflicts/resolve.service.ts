import { editDocument, readDocument } from '../../content/frontmatter/index.ts';
import { mergeDocuments } from '../../content/merge/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoDate, isoTime } from '../../kit/clock.ts';
import { conflict, invalid, notFound } from '../../kit/errors.ts';
import {
  asSeen,
  type ConflictDb,
  type ConflictFiles,
  type ConflictRow,
  type ConflictSide,
  contentOfText,
  discardCopy,
  findConflictRow,
  markResolved,
  type Resolution,
} from '../conflict-records/index.ts';
import {
  type Author,
  type Edit,
  type Entities,
  editEntity,
  overtaken,
  type ReconciledFile,
  requireUpdate,
} from '../entities/index.ts';
import { type EntityRow, findRowById, keepLostText, type Project, type RecordsDb } from '../records/index.ts';

export interface ResolveInput {
  resolution: 'local' | 'remote' | 'cloud' | 'merged';
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
}

export interface ResolveParts {
  entities: Entities;
  files: ConflictFiles;
  clock: Clock;
}

interface Resolving {
  record: ConflictRow;
  reconciled: ReconciledFile;
  input: ResolveInput;
  actor: string;
}

export function createResolve({ entities, files, clock }: ResolveParts) {
  async function unresolved(project: Project, conflictId: string): Promise<ConflictRow> {
    const found = await findConflictRow(project, conflictId);
    if (found === undefined)
      throw notFound(`There is no conflict ${conflictId}`, { code: 'no_such_conflict' });
    if (found.status === 'resolved') throw alreadyResolved();
    return found;
  }

  async function presentRow(
    project: Project,
    { row_id, entity_type, entity_id }: ConflictRow,
  ): Promise<EntityRow> {
    const row = await project.database.read((db: RecordsDb) => findRowById(db, project, row_id));
    if (row) return row;
    throw conflict(`${entity_type} '${entity_id}' is deleted: restore it from the recycle bin first`, {
      code: 'entity_deleted',
    });
  }

  /** Makes the winning side the newest version. 409 if the conflict is already resolved. */
  async function resolve(
    project: Project,
    conflictId: string,
    input: ResolveInput,
    { actor }: Author,
  ): Promise<EntityRow> {
    const { entity_type, entity_id } = await presentRow(project, await unresolved(project, conflictId));
    const template = await entities.templateOf(project, entity_type);
    return entities.alone(project, { entity_type, entity_id }, async () => {
      const record = await unresolved(project, conflictId);
      const present = await presentRow(project, record);
      // After a rename the held lock is the one of another id.
      if (present.entity_id !== entity_id) throw overtaken(present);
      const { row } = await entities.changeHeld(project, template, present, { actor }, (reconciled) =>
        editOf(project, template, { record, reconciled, input, actor }),
      );
      await discardCopy(project, record);
      // The next full sync removes files that are left.
      await files.remove(project, conflictId).catch(() => {});
      return row;
    });
  }

  function editOf(
    project: Project,
    template: TemplateDefinition,
    { record, reconciled, input, actor }: Resolving,
  ): Edit {
    const resolution = asSeen(record, input.resolution === 'cloud' ? 'remote' : input.resolution);
    const remote = JSON.parse(record.remote) as ConflictSide;
    const today = isoDate(clock.now());
    const sides = { local: reconciled.text, remote: remote.text, id: reconciled.row.entity_id, today };
    const at = isoTime(clock.now());
    const isKept = resolution !== 'remote';
    return {
      next: winner(template, record, resolution, sides, input),
      changed: changedFields(record),
      skippedVersions: isKept ? 1 : 0,
      origin: {
        source: 'api',
        operation_id: null,
        async also(db, stored) {
          if (stored.version !== reconciled.row.version + (isKept ? 2 : 1)) throw overtaken(stored);
          const lost = lostRevision(template, record, remote, stored.version - 1, at);
          if (isKept) await keepLostText(db, reconciled.row, lost);
          const how = { resolution, resolved_at: at, resolved_by: actor };
          if (!(await markResolved(db as ConflictDb, project, record.conflict_id, how)))
            throw alreadyResolved();
        },
      },
    };
  }

  return resolve;
}

export type Resolve = ReturnType<typeof createResolve>;

const alreadyResolved = () => conflict('This conflict is resolved already', { code: 'already_resolved' });

const changedFields = (record: ConflictRow): string[] => [
  ...new Set(
    (JSON.parse(record.conflicting_fields) as string[]).map((field) => field.split('.')[0] ?? field),
  ),
];

/** The version that keeps the losing text; its parent is the conflict's base. */
const lostRevision = (
  template: TemplateDefinition,
  record: ConflictRow,
  remote: ConflictSide,
  version: number,
  at: string,
) => {
  const { name, status } = contentOfText(template, remote.text);
  const base = record.base === null ? null : (JSON.parse(record.base) as ConflictSide);
  return {
    version,
    parent: base?.version ?? 0,
    name,
    status,
    text: remote.text,
    checksum: record.remote_checksum,
    created_at: remote.updated_at ?? at,
    created_by: remote.updated_by,
  };
};

interface Sides {
  local: string;
  remote: string;
  /** The entity's present id; a rename may have changed it. */
  id: string;
  today: string;
}

function winner(
  template: TemplateDefinition,
  record: ConflictRow,
  resolution: Resolution,
  sides: Sides,
  input: ResolveInput,
): string {
  if (resolution === 'local') return sides.local;
  if (resolution === 'merged') return mergedText(template, record, sides, input);
  const read = readDocument(sides.remote);
  const isRenamed = read.ok && typeof read.data.id === 'string' && read.data.id !== sides.id;
  return isRenamed ? editDocument(sides.remote, { set: { id: sides.id } }) : sides.remote;
}

/** Merges what does not overlap, and takes the given values for the rest. 422 if one of those is missing. */
function mergedText(
  template: TemplateDefinition,
  record: ConflictRow,
  { local, remote, today }: Sides,
  { fields = {}, markdown_body }: ResolveInput,
): string {
  const base = record.base === null ? null : (JSON.parse(record.base) as ConflictSide).text;
  const merged = base === null ? null : mergeDocuments(base, local, remote);
  const disputed = merged
    ? merged.conflicts.map(({ field }) => field.split('.')[0] ?? field)
    : changedFields(record);
  const given = new Set([...Object.keys(fields), ...(markdown_body === undefined ? [] : ['markdown_body'])]);
  const missing = [...new Set(disputed)].filter(
    (field) => field !== 'frontmatter_comments' && !given.has(field),
  );
  if (missing.length > 0) {
    throw invalid(
      `Both sides changed ${missing.join(', ')}: say what it is to be, in fields or markdown_body`,
      {
        code: 'not_merged',
        errors: missing.map((field) => ({ field, message: 'is needed' })),
      },
    );
  }
  const { name, status, ...own } = fields;
  const source = readDocument(merged?.text ?? local);
  if (!source.ok)
    throw conflict('The merged text cannot be read as an entity: resolve with local or remote', {
      code: 'unreadable_merge',
    });
  const update = {
    fields: own,
    ...(typeof name === 'string' && { name }),
    ...(typeof status === 'string' && { status }),
    ...(markdown_body !== undefined && { markdown_body }),
  };
  requireUpdate(template, update);
  const { document } = editEntity(template, source, update, today);
  return document.head + document.body;
}
