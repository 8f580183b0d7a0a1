import { compiled } from '../../entity/compiled.ts';
import type { FieldDefinition, TemplateDefinition } from '../../template/index.ts';
import type { DateReader } from '../calendar/index.ts';
import type { Bound, CanonEntity, Link, Mark, Moment, UnreadableDate } from '../model.ts';
import { readEntries } from './read-entries.ts';
import { type KnownRole, rolesOf } from './roles.ts';
import { targetsOf } from './targets.ts';

export interface ReadableEntity {
  entity_id: string;
  name: string;
  fields: Record<string, unknown>;
}

interface Reading {
  template: TemplateDefinition;
  read: DateReader;
  entity: Draft;
}

interface Draft extends CanonEntity {
  dates: Mark[];
  milestones: Mark[];
  links: Link[];
  moments: Moment[];
  unreadable: UnreadableDate[];
}

/** Null if the author says that it is not canon (`is_canon: false`). */
export function canonEntityOf(
  template: TemplateDefinition,
  { entity_id, name, fields }: ReadableEntity,
  read: DateReader,
): CanonEntity | null {
  if (fields.is_canon === false) return null;
  const entity: Draft = {
    type: template.entity_type,
    id: entity_id,
    name,
    start: null,
    end: null,
    dates: [],
    milestones: [],
    timeOfDay: null,
    links: [],
    moments: [],
    copies: null,
    unreadable: [],
  };
  const roleOf = rolesOf(template);
  const { byName } = compiled(template);
  for (const [key, value] of Object.entries(fields)) {
    const known = value === null || value === '' ? null : roleOf(key);
    if (known !== null) takeField({ template, read, entity }, known, key, value, byName.get(key));
  }
  // A single owner's name says that there is one; a list of owners says nothing.
  const [owner, ...coOwners] = entity.links.filter(({ role }) => role === 'owner');
  if (owner?.path.length === 1 && coOwners.length === 0) entity.copies ??= 'one';
  return entity;
}

function takeField(
  reading: Reading,
  known: KnownRole,
  key: string,
  value: unknown,
  field: FieldDefinition | undefined,
): void {
  const { entity, read } = reading;
  const type = field?.reference_type ?? null;
  switch (known.role) {
    case 'birth':
    case 'start':
      entity.start ??= bound(reading, known, key, value);
      break;
    case 'death':
    case 'end':
      entity.end ??= bound(reading, known, key, value);
      break;
    case 'date':
      entity.dates.push(...markOf(reading, known, key, value));
      break;
    case 'milestone':
      entity.milestones.push(...markOf(reading, known, key, value));
      break;
    case 'entries': {
      const found = readEntries(value, field, [key], read);
      entity.moments.push(...found.moments);
      entity.unreadable.push(...found.unreadable);
      break;
    }
    case 'unique':
      if (typeof value === 'boolean') entity.copies = value ? 'one' : 'many';
      break;
    case 'time_of_day':
      entity.timeOfDay = typeof value === 'string' && value !== 'unknown' ? value : null;
      break;
    case 'unique_owner':
      entity.copies = 'one';
      entity.links.push(...targetsOf(value, 'owner', type, [key]));
      break;
    default:
      entity.links.push(...targetsOf(value, known.role, type, [key]));
  }
}

function bound(reading: Reading, known: KnownRole, key: string, value: unknown): Bound | null {
  const [mark] = markOf(reading, known, key, value);
  return mark ? { ...mark, isLife: known.role === 'birth' || known.role === 'death' } : null;
}

function markOf({ entity, read }: Reading, known: KnownRole, key: string, value: unknown): Mark[] {
  const reading = read(value);
  if (reading.kind === 'date') return [{ path: [key], value, days: reading.days }];
  // A field that only sounds like a date may hold words: it was never meant as one.
  const isMeant = known.explicit || typeof value !== 'string' || /\d/.test(value);
  if (reading.kind === 'unreadable' && isMeant) {
    entity.unreadable.push({ path: [key], value, reason: reading.reason });
  }
  return [];
}
