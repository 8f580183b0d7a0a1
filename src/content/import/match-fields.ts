import type { FieldDefinition, TemplateDefinition } from '../template/index.ts';
import { type Conversion, convertValue } from './convert.ts';
import type { AskedMapping } from './identify.ts';
import { soleLink } from './links.ts';
import { fieldForms, formsOf, type NameForms } from './name-forms.ts';
import type { Finder, Target } from './targets.ts';
import { type Proposal, SURE } from './types.ts';

export interface Match {
  from: string;
  field: FieldDefinition;
  confidence: number;
  reason: string;
  conversion: Extract<Conversion, { ok: true }>;
}

export interface Matches {
  matches: Match[];
  /** By property, the field that it may be. */
  proposals: ReadonlyMap<string, Proposal>;
  /** Why a property that looked like a field did not become it. */
  misfits: ReadonlyMap<string, string>;
}

interface Likeness {
  confidence: number;
  reason: string;
}

/** A lower likeness is not worth proposing. */
const LEAST = 0.5;
const KIND_WORDS: ReadonlySet<string> = new Set(['type', 'kind', 'category', 'subtype']);

/**
 * The caller's word first, then name, synonym, type and value. A field takes one property, the likeliest, if its value fits
 * without loss. A value that names its own entity only goes to the field of its own name.
 */
export function matchFields(
  template: TemplateDefinition,
  properties: readonly (readonly [string, unknown])[],
  { finder, asked, self }: { finder: Finder; asked: AskedMapping; self: Target },
): Matches {
  const candidates: Match[] = [];
  const misfits = new Map<string, string>();
  for (const [from, value] of properties) {
    const forms = formsOf(from);
    const fits: Match[] = [];
    let misfit = 0;
    for (const field of template.fields) {
      const likeness = asked.has(from)
        ? askedFor(asked.get(from), field)
        : (byName(forms, value, field, template.entity_type) ?? byValue(value, field, finder, template));
      if (likeness === undefined || likeness.confidence < LEAST) continue;
      const conversion = convertValue(template, field, value, finder);
      if (conversion.ok && likeness.confidence < 1 && refersTo(self, field, conversion.value)) {
        misfits.set(from, `as ${field.name} it would refer to itself`);
      } else if (conversion.ok) {
        const reason = conversion.how === '' ? likeness.reason : `${likeness.reason}, ${conversion.how}`;
        fits.push({ from, field, confidence: likeness.confidence, reason, conversion });
      } else if (likeness.confidence > misfit) {
        misfit = likeness.confidence;
        misfits.set(from, conversion.reason);
      }
    }
    // A value that its own field cannot hold does not go to a field that is less alike.
    candidates.push(...fits.filter(({ confidence }) => confidence >= misfit));
  }
  const chosen = best(candidates, misfits);
  const proposals = new Map<string, Proposal>();
  for (const { from, field, confidence, reason } of chosen)
    if (confidence < SURE) proposals.set(from, { to: field.name, confidence, reason });
  return { matches: chosen.filter(({ from }) => !proposals.has(from)), proposals, misfits };
}

const refersTo = ({ entity_type, entity_id }: Target, field: FieldDefinition, value: unknown): boolean =>
  field.reference_type === entity_type &&
  (Array.isArray(value) ? value.includes(entity_id) : value === entity_id);

function best(candidates: Match[], misfits: Map<string, string>): Match[] {
  const taken = new Map<string, string>();
  const matched = new Set<string>();
  const chosen: Match[] = [];
  for (const match of candidates.sort((a, b) => b.confidence - a.confidence)) {
    const holder = taken.get(match.field.name);
    if (matched.has(match.from)) continue;
    if (holder !== undefined) {
      if (!misfits.has(match.from))
        misfits.set(match.from, `${match.field.name} comes from ${holder} already`);
      continue;
    }
    taken.set(match.field.name, match.from);
    matched.add(match.from);
    chosen.push(match);
  }
  return chosen;
}

const askedFor = (name: string | null | undefined, field: FieldDefinition): Likeness | undefined =>
  name === field.name ? { confidence: 1, reason: 'asked for' } : undefined;

function byName(from: NameForms, value: unknown, field: FieldDefinition, type: string): Likeness | undefined {
  if (from.name === field.name) return { confidence: 1, reason: 'the same name' };
  const wanted = fieldForms(field);
  if (from.key === wanted.key || from.key === wanted.label)
    return { confidence: 0.95, reason: 'the same name, written otherwise' };
  if (from.unordered === wanted.unordered) return { confidence: 0.9, reason: 'the same words' };
  if (!from.meanings.isDisjointFrom(wanted.meanings))
    return { confidence: 0.8, reason: 'another word for it' };
  if (wanted.key === `${type}_type` && KIND_WORDS.has(from.key))
    return { confidence: 0.75, reason: `the kind of ${type}` };
  return byWords(from.words, wanted.words, value, field);
}

/** `hair` is `hair_color` if the types agree, one's words are among the other's, and half of them are shared. */
function byWords(
  left: ReadonlySet<string>,
  right: ReadonlySet<string>,
  value: unknown,
  field: FieldDefinition,
): Likeness | undefined {
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  if (few.size === 0 || few.size * 2 < many.size || !few.isSubsetOf(many)) return undefined;
  const fits = field.type === 'array' ? Array.isArray(value) : typeof value === field.type;
  return fits ? { confidence: 0.6, reason: 'shared words and the same type' } : undefined;
}

/** Only one field refers to the linked type, or offers the option. */
function byValue(
  value: unknown,
  field: FieldDefinition,
  finder: Finder,
  template: TemplateDefinition,
): Likeness | undefined {
  const entries = Array.isArray(value) ? value : [value];
  if (entries.length === 0 || !entries.every((entry) => typeof entry === 'string')) return undefined;
  const { reference_type: type } = field;
  if (type !== undefined) {
    const isAlone = template.fields.filter((other) => other.reference_type === type).length === 1;
    const names = (entry: string) => typeof finder.find(soleLink(entry)?.target ?? entry, type) === 'object';
    return isAlone && (entries.length === 1 || field.type === 'array') && entries.every(names)
      ? { confidence: 0.55, reason: `its value is a ${type}, and no other field refers to one` }
      : undefined;
  }
  const offers = (other: FieldDefinition) =>
    entries.every((entry) => entry !== '' && other.options?.some((option) => option.value === entry));
  const isAlone = offers(field) && template.fields.filter(offers).length === 1;
  return isAlone ? { confidence: 0.5, reason: 'its value is an option of this field alone' } : undefined;
}
