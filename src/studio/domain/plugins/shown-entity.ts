import type { JsonMap } from '../../../text/json.ts';
import { bodyOf, type Draft, isLocal, partOf } from '../drafts/draft.ts';
import { PRODUCTION } from '../field-path.ts';
import type { EntityData } from './host-messages.ts';

const ATTRIBUTES = ['name', 'status', 'primary_asset', PRODUCTION];

/** An entity as the API has it, with what the user has typed and nobody has saved. */
export function shownEntity(draft: Draft): EntityData {
  const { key, base } = draft;
  const entityId = isLocal(key) ? null : key.id;
  const parts = ATTRIBUTES.map((name): [string, unknown] => [name, partOf(draft, name) ?? null]);
  const data: JsonMap = {
    entity_type: key.type,
    entity_id: entityId,
    ...Object.fromEntries(parts),
    fields: partOf(draft, 'fields') ?? {},
    markdown_body: bodyOf(draft),
    version: base?.version ?? null,
    updated_at: base?.updated_at ?? null,
    updated_by: base?.updated_by ?? null,
  };
  return { entityType: key.type, entityId, data };
}
