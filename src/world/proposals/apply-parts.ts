import type { MergeConflict } from '../../content/merge/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoDate } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { cutWithin } from '../../text/cut.ts';
import { changedParts, type Entities, type Origin } from '../entities/index.ts';
import {
  type EntityRow,
  mergeTexts,
  type Project,
  type RecordsDb,
  storedFileText,
} from '../records/index.ts';
import { stamped } from './proposed-text.ts';

/** A change of an entity's text, made from an earlier one: `base` becomes `text`. */
export interface TextChange {
  base: string;
  text: string;
}

export interface Application extends TextChange {
  template: TemplateDefinition;
  entityId: string;
  actor: string;
  ifMatch?: HeaderValue;
  /** `also` runs exactly once: with the change, or by itself where the file says it already. */
  origin: Origin;
}

const LONGEST_VALUE = 2_000;

/** Makes a change over the present version, in three ways. 409 where it overlaps with what was written since; then nothing changes. */
export function createApplyParts({ entities, clock }: { entities: Entities; clock: Clock }) {
  async function merged({ base, text }: TextChange, local: string): Promise<string> {
    const result = await mergeTexts({ base, local, remote: text });
    if (!result.clean || !result.structured) throw overlapping(result.conflicts);
    return result.text === local ? local : stamped(result.text, isoDate(clock.now()));
  }

  /** True if the file is what this change makes of the stored text: an earlier attempt was killed before its rows were stored. */
  async function isWritten(project: Project, row: EntityRow, change: TextChange): Promise<boolean> {
    const bytes = await project.files.read(row.path).catch(() => null);
    if (bytes === null || checksumOf(bytes) === row.file_checksum) return false;
    const stored = await project.database.read((db: RecordsDb) => storedFileText(db, row.row_id));
    const next = stored === undefined ? null : await merged(change, stored).catch(() => null);
    return next !== null && next !== stored && checksumOf(bytes) === checksumOf(next);
  }

  return (project: Project, application: Application): Promise<{ row: EntityRow; isMerged: boolean }> => {
    const { template, entityId, actor, ifMatch, origin } = application;
    const name = { entity_type: template.entity_type, entity_id: entityId };
    return entities.alone(project, name, async () => {
      const before = await entities.findRow(project, name.entity_type, entityId);
      const half = (await isWritten(project, before, application)) ? origin : undefined;
      const options = { actor, ifMatch, half };
      let isMerged = false;
      const { row } = await entities.changeHeld(project, template, before, options, async (present) => {
        if (half && present.row !== before) return null;
        const next = await merged(application, present.text);
        isMerged = next !== present.text && present.text !== application.base;
        if (next === present.text) {
          await project.database.write((db: RecordsDb) => origin.also(db, present.row));
          return null;
        }
        return { next, changed: changedParts(present.text, next), origin };
      });
      return { row, isMerged };
    });
  };
}

export type ApplyParts = ReturnType<typeof createApplyParts>;

const shownValue = (value: unknown): string =>
  cutWithin(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), LONGEST_VALUE);

function overlapping(conflicts: readonly MergeConflict[]) {
  const fields = [...new Set(conflicts.map(({ field }) => field))].join(', ');
  return conflict(
    `The entity has changed since, and both changes affect ${fields || 'the file as a whole'}. Nothing was changed: ` +
      'choose other parts, or have it proposed again',
    {
      code: 'proposal_overlaps',
      body: {
        conflicts: conflicts.map(({ field, local, remote }) => ({
          field,
          present: shownValue(local),
          proposed: shownValue(remote),
        })),
      },
    },
  );
}
