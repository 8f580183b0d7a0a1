import type { EntityDraft } from '../../../data/drafts/drafts.ts';

const BEING_SAVED: readonly string[] = ['saved', 'saving'];

/** False if what was typed cannot be saved now. What is typed meanwhile comes after it. */
export async function saveFirst(draft: EntityDraft): Promise<boolean> {
  await draft.saveNow();
  return BEING_SAVED.includes(draft.getSnapshot().state.kind);
}
