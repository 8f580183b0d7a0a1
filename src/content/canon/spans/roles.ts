import type { FieldDefinition, TemplateDefinition } from '../../template/index.ts';
import type { LinkRole } from '../model.ts';

/** From `canon` in a field's `field_config`, else from widget and name. */
export type FieldRole =
  | 'birth'
  | 'death'
  | 'start'
  | 'end'
  | 'date'
  | 'milestone'
  | 'entries'
  | 'unique'
  | 'unique_owner'
  | 'time_of_day'
  | LinkRole;

export interface KnownRole {
  role: FieldRole;
  /** Stated, not guessed from a name. */
  explicit: boolean;
}

/** `none` takes a field out. */
const HINTS: ReadonlyMap<string, FieldRole | null> = new Map<string, FieldRole | null>([
  ['birth', 'birth'],
  ['death', 'death'],
  ['start', 'start'],
  ['end', 'end'],
  ['date', 'date'],
  ['milestone', 'milestone'],
  ['entries', 'entries'],
  ['participants', 'present'],
  ['place', 'place'],
  ['origin', 'origin'],
  ['mention', 'mention'],
  ['owner', 'owner'],
  ['unique_owner', 'unique_owner'],
  ['inventory', 'inventory'],
  ['parent', 'parent'],
  ['earlier', 'earlier'],
  ['later', 'later'],
  ['sequence', 'sequence'],
  ['unique', 'unique'],
  ['time_of_day', 'time_of_day'],
  ['none', null],
]);

const WHEN = '(?:_(?:year|date|on|in))';
const BY_NAME: readonly (readonly [RegExp, FieldRole])[] = [
  [new RegExp(`^(?:birth${WHEN}|born${WHEN}?|(?:year|date)_of_birth)$`), 'birth'],
  [new RegExp(`^(?:death${WHEN}|died${WHEN}?|(?:year|date)_of_death)$`), 'death'],
  [
    new RegExp(
      `^(?:(?:founded|established|built|constructed|launched|formed)${WHEN}?|(?:founding|creation)_(?:year|date))$`,
    ),
    'start',
  ],
  [/^(?:start|begin|begins|opened|forged|created|made)_(?:year|date|day)$/, 'start'],
  [new RegExp(`^(?:dissolved|destroyed|disbanded|demolished|abandoned)${WHEN}?$`), 'end'],
  [/^(?:end|ends|closed|closing)_(?:year|date|day)$/, 'end'],
  [/^(?:date|year|event_date|story_date|in_world_date|happened_on|occurred_on)$/, 'date'],
  [/^(?:entries|timeline|chronology|history|milestones|key_dates|eras)$/, 'entries'],
  [
    /^(?:participants?|characters?|attendees|protagonists?|antagonists?|witnesses|speakers?|listeners)$/,
    'present',
  ],
  [/^(?:cast|guests|giver|quest_giver|combatants|victims?|perpetrators?|factions?)$/, 'present'],
  [/^(?:locations?|places?|venue|setting|start_location|battlefield)$/, 'place'],
  [
    /^(?:founders?|founded_by|creators?|created_by|makers?|made_by|builders?|built_by|author|inventor)$/,
    'origin',
  ],
  [/^(?:birthplace|place_of_birth)$/, 'origin'],
  [/^(?:owners?|owned_by|current_owner|held_by|bearer|wielder|carried_by)$/, 'owner'],
  [
    /^(?:inventory|possessions|belongings|equipment|carries|owns|owned_items|items_owned|items_carried)$/,
    'inventory',
  ],
  [/^(?:parents?|mother|father|ancestors?|part_of|contained_in)$|^parent_/, 'parent'],
  [/^(?:caused_by|preceded_by|prerequisites)$/, 'earlier'],
  [/^(?:consequences|leads_to|followed_by)$/, 'later'],
  [/^(?:unique|is_unique|one_of_a_kind)$/, 'unique'],
  [/^(?:time_of_day)$/, 'time_of_day'],
];

export const isHint = (word: unknown): boolean => typeof word === 'string' && HINTS.has(word);

export const HINT_WORDS: readonly string[] = [...HINTS.keys()];

/** By the field's definition; without one, by its name alone. */
export function roleOf(
  name: string,
  field: FieldDefinition | undefined,
  entityType: string,
): KnownRole | null {
  const hint = field?.config.canon;
  if (typeof hint === 'string') {
    const said = HINTS.get(hint);
    if (said !== undefined) return said === null ? null : { role: said, explicit: true };
  }
  const named = BY_NAME.find(([pattern]) => pattern.test(name));
  if (named) return { role: named[1], explicit: field?.widget === 'year' };
  if (name === 'events' && entityType === 'timeline') return { role: 'sequence', explicit: false };
  return field?.widget === 'year' ? { role: 'milestone', explicit: true } : null;
}

/** Built once per template. */
const known = new WeakMap<TemplateDefinition, Map<string, KnownRole | null>>();

export function rolesOf(template: TemplateDefinition): (name: string) => KnownRole | null {
  const roles = known.get(template) ?? declaredRoles(template);
  known.set(template, roles);
  return (name) => {
    const role = roles.get(name);
    return role === undefined ? roleOf(name, undefined, template.entity_type) : role;
  };
}

const declaredRoles = ({ fields, entity_type }: TemplateDefinition): Map<string, KnownRole | null> =>
  new Map(fields.map((field) => [field.name, roleOf(field.name, field, entity_type)]));
