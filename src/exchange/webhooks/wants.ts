import { type Wants, wantsOf } from '../realtime/index.ts';
import type { WebhookRow } from './webhooks.tables.ts';

export const eventsOf = ({ events }: Pick<WebhookRow, 'events'>): string[] => JSON.parse(events);
export const entityTypesOf = ({ entity_types }: Pick<WebhookRow, 'entity_types'>): string[] | null =>
  entity_types === null ? null : JSON.parse(entity_types);

export function wantsOfWebhook(webhook: Pick<WebhookRow, 'events' | 'entity_types'>): Wants {
  const entityTypes = entityTypesOf(webhook);
  return wantsOf({ types: eventsOf(webhook), ...(entityTypes && { entity_types: entityTypes }) });
}
