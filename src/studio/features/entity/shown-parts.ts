import { type Draft, partOf } from '../../domain/drafts/draft.ts';

/** Parts of a draft as the page shows them. */
export const shownName = (draft: Draft): string => String(partOf(draft, 'name') ?? '');

export const shownStatus = (draft: Draft): string => String(partOf(draft, 'status') ?? 'active');

/** The fields on the screen, by their names, with the production status where the entity has one. */
export function shownFields(draft: Pick<Draft, 'base' | 'changes'>): Record<string, unknown> {
  const fields = (partOf(draft, 'fields') ?? {}) as Record<string, unknown>;
  const status = partOf(draft, 'production_status');
  return status === null || status === undefined ? fields : { ...fields, production_status: status };
}
