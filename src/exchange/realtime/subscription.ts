import type { Subscription } from './messages.ts';
import type { FeedEvent } from './project-feed.ts';

export type Wants = (event: Pick<FeedEvent, 'type' | 'entityType' | 'entityId'>) => boolean;

export const wantsAll: Wants = () => true;

/** Events about no entity pass every entity filter. */
export function wantsOf({ types, entity_types, entities }: Omit<Subscription, 'type'>): Wants {
  const wantedTypes = types && new Set(types);
  const hasEntities = entity_types !== undefined || entities !== undefined;
  const entityTypes = new Set(entity_types);
  const keys = new Set(entities?.map(({ entity_type, entity_id }) => `${entity_type}/${entity_id}`));
  return ({ type, entityType, entityId }) => {
    if (wantedTypes && !wantedTypes.has(type)) return false;
    if (!hasEntities || entityType === null) return true;
    return entityTypes.has(entityType) || keys.has(`${entityType}/${entityId}`);
  };
}
