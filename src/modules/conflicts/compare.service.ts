import { compareContent } from '../../content/compare.ts';
import { describeDifference, unifiedDiff } from '../../content/difference-text.ts';
import { invalid } from '../../kit/errors.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { Project } from '../records/scope.ts';
import { type ContentSide, type ReadSide, readSide } from './content-side.ts';

export interface CompareInput {
  entity_id?: string | undefined;
  from: ContentSide;
  to?: ContentSide | undefined;
}

const labelOf = (name: string, { info }: ReadSide): string =>
  info === null ? name : `version ${info.version}`;

/** Compares two states of an entity; without `to`, with what it is now. */
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
    const difference = compareContent(before.content, after.content);
    const labels = { before: labelOf('from', before), after: labelOf('to', after) };
    return {
      ...difference,
      summary: describeDifference(difference),
      text: unifiedDiff(before.text, after.text, labels),
    };
  };
}

export type Compare = ReturnType<typeof createCompare>;
