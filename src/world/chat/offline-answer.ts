import type { ChatAnswer } from './chat.contract.ts';
import { citationOf, markerOf } from './citations.ts';
import { keyOf, urlOf } from './entity-lines.ts';
import type { Finding, Found } from './finding.ts';

/** Why no model has answered. */
export type OfflineReason = NonNullable<ChatAnswer['reason']>;

/** An answer from the project itself: nobody else was asked (spec 1 §4.8, "offline-capable"). */
export function offlineAnswer({ found, terms }: Finding, reason: OfflineReason): ChatAnswer {
  return {
    offline: true,
    reason,
    provider: null,
    model: null,
    message: { role: 'assistant', content: contentOf(found, terms, reason) },
    citations: found.flatMap(({ entity, passages }) =>
      passages.map((passage) => citationOf(entity, passage)),
    ),
    entities: found.map(usedOf),
    terms,
    tools: [],
    proposals: [],
    finish: 'search',
    usage: null,
    credits: 0,
  };
}

const usedOf = ({ entity, passages }: Found): ChatAnswer['entities'][number] => {
  const { entity_type, entity_id, name } = entity;
  return {
    entity_type,
    entity_id,
    name,
    passages: passages.map(({ text }) => text),
    link: `[[${entity_type}:${entity_id}]]`,
    url: urlOf(entity),
  };
};

function contentOf(found: readonly Found[], terms: readonly string[], { detail }: OfflineReason): string {
  if (found.length === 0) return `The project says nothing of ${terms.join(', ') || 'this'}. ${detail}`;
  const parts = found.map(({ entity, passages }) =>
    [
      `**${entity.name}** (${entity.entity_type}), [[${entity.entity_type}:${entity.entity_id}]]`,
      ...passages.map((passage) => `> ${passage.text} ${markerOf({ key: keyOf(entity), ...passage })}`),
    ].join('\n'),
  );
  return ['This is what the project says:', ...parts].join('\n\n');
}
