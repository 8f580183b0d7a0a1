import { invalid } from '../../kit/errors.ts';
import type { Entities } from '../entities/index.ts';
import { compareTexts, type Project } from '../records/index.ts';
import { type ContentSide, type ReadSide, readSide } from './content-side.ts';

export interface CompareInput {
  entity_id?: string | undefined;
  from: ContentSide;
  to?: ContentSide | undefined;
}

const labelOf = (name: string, { info }: ReadSide): string =>
  info === null ? name : `version ${info.version}`;

/** Compares two states of an entity, as JSON text; without `to`, one with the present state. */
export function createCompare({ entities }: { entities: Entities }) {
  return async (project: Project, entityType: string, { entity_id: id, from, to }: CompareInput) => {
    const template = await entities.templateOf(project, entityType);
    const row = id === undefined ? null : await entities.findRow(project, entityType, id);
    const target = to ?? (row && { version: row.version });
    if (target === null) {
      const message = 'is needed where entity_id is not given';
      throw invalid(`to ${message}`, { code: 'invalid_side', errors: [{ field: 'to', message }] });
    }
    const before = await readSide({ project, template, row, base: null }, 'from', from);
    const after = await readSide({ project, template, row, base: before.text }, 'to', target);
    return compareTexts({
      before: { ...before, label: labelOf('from', before) },
      after: { ...after, label: labelOf('to', after) },
    });
  };
}

export type Compare = ReturnType<typeof createCompare>;
