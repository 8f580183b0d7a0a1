import type { ContextEntity } from '../../content/ai/index.ts';
import { type Calendar, type CanonEntity, canonEntityOf, dateReader } from '../../content/canon/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';

/** When each entity lived or happened, and where, one sentence each; nothing for those that do not say when. */
export function factsOf(
  types: ReadonlyMap<string, TemplateDefinition>,
  calendar: Calendar,
  entities: readonly ContextEntity[],
): string[] {
  const read = dateReader(calendar);
  return entities.flatMap((entity) => {
    const template = types.get(entity.entity_type);
    const canon = template ? canonEntityOf(template, entity, read) : null;
    const parts = canon === null ? [] : timesOf(canon);
    if (canon === null || parts.length === 0) return [];
    return [
      `${entity.name} (${entity.entity_type}/${entity.entity_id}): ${[...parts, ...placesOf(canon)].join('; ')}`,
    ];
  });
}

const said = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function timesOf({ start, end, dates, milestones }: CanonEntity): string[] {
  return [
    ...(start ? [`${start.isLife ? 'born' : 'begins'} ${said(start.value)}`] : []),
    ...(end ? [`${end.isLife ? 'died' : 'ends'} ${said(end.value)}`] : []),
    ...dates.map(({ value }) => `at ${said(value)}`),
    ...milestones.map(({ path, value }) => `${path.join('.')} ${said(value)}`),
  ];
}

const ROLES = { place: 'where', origin: 'from', present: 'with', parent: 'part or child of' } as const;

function placesOf({ links }: CanonEntity): string[] {
  return Object.entries(ROLES).flatMap(([role, words]) => {
    const ids = links.filter((link) => link.role === role).map(({ id }) => id);
    return ids.length === 0 ? [] : [`${words} ${ids.join(', ')}`];
  });
}
