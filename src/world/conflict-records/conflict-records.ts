import { canonicalContent } from '../../content/canonical.ts';
import type { ComparedContent } from '../../content/compare.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { newId } from '../../kit/ids.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import type { EntityRow, Project } from '../records/index.ts';
import type { ConflictFiles } from './conflict-files.ts';
import { conflictsAfter, findConflictRow, firstConflictSince } from './conflicts.store.ts';
import type { ConflictRow, ConflictSide, NewRow, Resolution } from './conflicts.tables.ts';
import { contentOfText } from './content-of-text.ts';

export interface NewConflict {
  row: EntityRow;
  base: ConflictSide | null;
  local: ConflictSide;
  remote: ConflictSide;
  conflicting_fields: string[];
  copyPath: string | null;
  isPushed?: boolean;
}

export interface EditConflict {
  row: EntityRow;
  /** The version that both are based on. */
  base: { info: { version: number; created_at: string; created_by: string | null }; text: string };
  local: string;
  remote: { text: string; updated_at: string; updated_by: string };
  conflicting_fields: string[];
}

export type ConflictRecords = ReturnType<typeof createConflictRecords>;

export function createConflictRecords({
  templates,
  files,
  clock,
}: {
  templates: TemplateRegistry;
  files: ConflictFiles;
  clock: Clock;
}) {
  function rowOf(project: Project, found: NewConflict): NewRow {
    const { row, base, local, remote } = found;
    return {
      conflict_id: newId(),
      tenant_id: project.tenantId,
      project_id: project.projectId,
      row_id: row.row_id,
      entity_type: row.entity_type,
      entity_id: row.entity_id,
      status: 'unresolved',
      conflicting_fields: JSON.stringify(found.conflicting_fields),
      base: base && JSON.stringify(base),
      local: JSON.stringify(local),
      remote: JSON.stringify(remote),
      remote_checksum: checksumOf(remote.text),
      copy_path: found.copyPath,
      is_pushed: found.isPushed ? 1 : 0,
      detected_at: isoTime(clock.now()),
      resolution: null,
      resolved_at: null,
      resolved_by: null,
    };
  }

  const keep = (project: Project, found: NewConflict): Promise<ConflictRow> =>
    files.keep(project, rowOf(project, found));

  /** The record in the form of replies: each side's text as fields and body. */
  async function show(project: Project, row: NewRow) {
    const template = (await templates.of(project)).types.get(row.entity_type);
    const shownSide = (json: string) => presentSide(JSON.parse(json) as ConflictSide, template);
    const pushed = row.is_pushed === 1;
    const [local, remote] = pushed ? [row.remote, row.local] : [row.local, row.remote];
    return {
      conflict_id: row.conflict_id,
      entity_type: row.entity_type,
      entity_id: row.entity_id,
      base: row.base === null ? null : shownSide(row.base),
      local: shownSide(local),
      remote: shownSide(remote),
      conflicting_fields: JSON.parse(row.conflicting_fields) as string[],
      copy_path: row.copy_path,
      pushed,
      detected_at: row.detected_at,
      status: row.status,
      resolution: row.resolution && asSeen(row, row.resolution),
      resolved_at: row.resolved_at,
      resolved_by: row.resolved_by,
    };
  }

  const keepEdit = async (project: Project, edit: EditConflict) =>
    show(project, await keep(project, ofEdit(edit)));

  /** Shows a conflict of which nothing is stored. */
  const reportEdit = async (project: Project, edit: EditConflict) => ({
    ...(await show(project, rowOf(project, ofEdit(edit)))),
    conflict_id: null,
  });

  return {
    keep,
    keepEdit,
    reportEdit,
    show,
    find: findConflictRow,
    changedAfter: conflictsAfter,
    firstSince: firstConflictSince,
  };
}

/** A text of the entity's present version. */
export const sideOfRow = (
  { version, updated_at, updated_by }: Pick<EntityRow, 'version' | 'updated_at' | 'updated_by'>,
  text: string,
): ConflictSide => ({ version, text, updated_at, updated_by });

function ofEdit({ row, base, local, remote, conflicting_fields }: EditConflict): NewConflict {
  const { version, created_at, created_by } = base.info;
  return {
    row,
    base: { version, text: base.text, updated_at: created_at, updated_by: created_by },
    local: sideOfRow(row, local),
    remote: { version: null, ...remote },
    conflicting_fields,
    copyPath: null,
  };
}

/** Translates a resolution between the stored and the shown sides: they are swapped if an install pushed. */
export function asSeen({ is_pushed }: Pick<ConflictRow, 'is_pushed'>, resolution: Resolution): Resolution {
  if (is_pushed === 0 || resolution === 'merged') return resolution;
  return resolution === 'local' ? 'remote' : 'local';
}

function presentSide({ text, version, updated_at, updated_by }: ConflictSide, template?: TemplateDefinition) {
  const content = template ? contentOfText(template, text) : plainContent(text);
  const checksum = checksumOf(canonicalContent(content.fields, content.markdown_body));
  return { version, checksum, ...content, updated_at, updated_by };
}

function plainContent(text: string): ComparedContent {
  const read = readDocument(text);
  if (!read.ok) return { name: '', status: '', fields: {}, markdown_body: text };
  return { name: '', status: '', fields: read.data, markdown_body: read.body };
}
