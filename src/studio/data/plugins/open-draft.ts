import { type DraftKey, isLocal } from '../../domain/drafts/draft.ts';
import { cache } from '../cache.ts';
import type { EntityDraft } from '../drafts/drafts.ts';
import { entityQuery } from '../entity.ts';
import { whenOpen } from '../workspace.ts';

/** The draft of an entity whose page may have been left; null where it cannot be had now. */
export async function openDraft(key: DraftKey): Promise<EntityDraft | null> {
  const { account, drafts } = await whenOpen();
  if (account !== key.account) return null;
  const open = await drafts.open(key);
  if (open || isLocal(key)) return open;
  const entity = await cache.fetchQuery(entityQuery(key)).catch(() => null);
  return entity && drafts.open(key, entity);
}
