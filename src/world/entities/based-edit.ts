import { withWholeMaps } from '../../content/entity/index.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import type { MergeConflict } from '../../content/merge/index.ts';
import { type Clock, isoDate, isoTime } from '../../kit/clock.ts';
import { conflict, HttpError } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import type { ConflictRecords, LaterSave } from '../conflict-records/index.ts';
import { type EntityRow, mergeTexts, type Project } from '../records/index.ts';
import type { Author } from './author.ts';
import type { Edit } from './change.service.ts';
import type { Entities } from './entities.service.ts';
import { editEntity, requireUpdate, type UpdateInput } from './entity-edit.ts';
import type { ReconciledFile } from './reconcile-file.ts';
import { loadVersion, type Version } from './versions.ts';

export interface BasedEdits {
  entities: Entities;
  records: Pick<ConflictRecords, 'keepEdit' | 'reportEdit'>;
  closeEarlierTries(project: Project, save: LaterSave): Promise<void>;
  clock: Clock;
}

interface BasedInput extends UpdateInput {
  base_version: number;
  on_conflict: 'keep' | 'report';
}

/**
 * Merges an edit with changes made since the version that the caller saw. Overlaps change nothing: 409 with both sides, and the edit
 * is kept as a conflict unless the caller only wants a report.
 */
export function createBasedEdits({ entities, records, closeEarlierTries, clock }: BasedEdits) {
  return async (
    project: Project,
    entityType: string,
    entityId: string,
    { base_version: baseVersion, on_conflict: onConflict, ...input }: BasedInput,
    { actor, ifMatch, via }: Author & { ifMatch?: HeaderValue },
  ): Promise<{ row: EntityRow; merged: boolean }> => {
    const template = await entities.templateOf(project, entityType);
    requireUpdate(template, withWholeMaps(template, {}, input));
    let merged = false;
    const edit = async ({ row, text: local }: ReconciledFile): Promise<Edit | null> => {
      const base = await baseOf(project, row, baseVersion);
      const source = readDocument(base.text);
      if (!source.ok) {
        throw conflict(`Version ${baseVersion} cannot be read, so nothing can be changed from it`, {
          code: 'unreadable_base',
        });
      }
      const whole = withWholeMaps(template, source.data, input);
      const { changed, document } = editEntity(template, source, whole, isoDate(clock.now()));
      const remote = document.head + document.body;
      const result = await mergeTexts({ base: base.text, local, remote });
      if (!result.clean || !result.structured) {
        const fields = new Set(result.conflicts.map(({ field }) => field));
        const found = {
          row,
          base,
          local,
          remote: { text: remote, updated_at: isoTime(clock.now()), updated_by: actor },
          conflicting_fields: [...fields],
        };
        const shown =
          onConflict === 'report'
            ? await records.reportEdit(project, found)
            : await records.keepEdit(project, found);
        throw overlap(row, baseVersion, shown, result.conflicts);
      }
      merged = row.version !== baseVersion;
      return result.text === local ? null : { next: result.text, changed, via };
    };
    const { row } = await entities.change(project, template, entityId, { actor, ifMatch }, edit);
    const { fields, ...attributes } = input;
    await closeEarlierTries(project, {
      row_id: row.row_id,
      actor,
      base_version: baseVersion,
      given: { ...attributes, ...fields },
    });
    return { row, merged };
  };
}

export type UpdateFromBase = ReturnType<typeof createBasedEdits>;

/** Throws 409 for a missing version, since the entity itself exists: 404 would deny that. */
async function baseOf(project: Project, row: EntityRow, version: number): Promise<Version> {
  return loadVersion(project, row, version).catch((error: unknown) => {
    if (!(error instanceof HttpError && error.status === 404)) throw error;
    throw conflict(`${error.message}. Nothing was saved: make the change again from version ${row.version}`, {
      code: 'unknown_base',
    });
  });
}

function overlap(
  row: EntityRow,
  baseVersion: number,
  shown: { conflict_id: string | null; conflicting_fields: string[] },
  overlaps: readonly MergeConflict[],
) {
  const { conflict_id, conflicting_fields: fields } = shown;
  const isKept = conflict_id !== null;
  return conflict(
    `${row.entity_type} '${row.entity_id}' has changed since version ${baseVersion}, and both changes affect ${fields.join(', ')}. ` +
      `Nothing was saved: ${isKept ? `resolve the conflict ${conflict_id}, or ` : ''}make the change again from version ${row.version}`,
    { code: 'edit_conflict', body: { conflict_id, conflict: shown, overlaps } },
  );
}
