import { ENTITY_STATUSES } from '../entity/index.ts';
import { ENTITY_METADATA_KEYS, type TemplateDefinition } from '../template/index.ts';
import type { Attachments } from './attachments.ts';
import type { AskedMapping } from './identify.ts';
import { soleLink } from './links.ts';
import { areSynonyms } from './synonyms.ts';
import type { Note } from './types.ts';
import { keyOf } from './words.ts';

/** Metadata of our own files that an import keeps (spec 1 §2.2). */
const OWN_METADATA = [
  'template_version',
  'created_date',
  'last_updated',
  'production_status',
  'associated_skills',
  'field_config',
];

/** Not a field, but a fact about the entity or its file. */
export interface Attribute {
  from: string;
  to: string;
  value: unknown;
  confidence: number;
  reason: string;
  attachment?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Undefined if it is no attribute, or cannot be taken as it is. */
export function attributeOf(
  note: Note,
  from: string,
  template: TemplateDefinition,
  { attachments, mapping }: { attachments: Attachments; mapping: AskedMapping },
): Attribute | undefined {
  const value = note.properties[from];
  if (mapping.has(from)) return askedAttribute(from, mapping.get(from) ?? null, value);
  if (template.fields.some((field) => field.name === from)) return undefined;
  if (OWN_METADATA.includes(from)) return { from, to: from, value, confidence: 1, reason: 'the same name' };
  if (keyOf(from) === 'status') return statusOf(from, value);
  if (areSynonyms(from, 'primary_asset')) return assetOf(note, from, value, attachments);
  const isBody = areSynonyms(from, 'markdown_body') && isText(value);
  if (!isBody || template.fields.some((field) => areSynonyms(from, field.name))) return undefined;
  const confidence = keyOf(from) === 'markdown_body' ? 1 : 0.8;
  return { from, to: 'markdown_body', value, confidence, reason: 'the text of the entity' };
}

function askedAttribute(from: string, to: string | null, value: unknown): Attribute | undefined {
  const asked = { from, value, confidence: 1, reason: 'asked for' };
  if (to === 'markdown_body' && typeof value === 'string') return { ...asked, to };
  const status = to === 'status' ? statusOf(from, value) : undefined;
  return status && { ...status, ...asked, value: status.value };
}

function statusOf(from: string, value: unknown): Attribute | undefined {
  const status = isText(value) ? value.trim().toLowerCase() : '';
  if (!ENTITY_STATUSES.some((known) => known === status)) return undefined;
  const isSame = from === 'status' && value === status;
  return {
    from,
    to: 'status',
    value: status,
    confidence: isSame ? 1 : 0.9,
    reason: isSame ? 'the same name' : 'a known status',
  };
}

function assetOf(note: Note, from: string, value: unknown, attachments: Attachments): Attribute | undefined {
  if (!isText(value)) return undefined;
  const name = soleLink(value)?.target ?? value.trim().replace(/^!?\[\[|\]\]$/g, '');
  const attachment = attachments.find(name, note.path);
  const isOwn = from === 'primary_asset' || from === 'primary_image';
  if (attachment !== undefined)
    return {
      from,
      to: isOwn ? from : 'primary_asset',
      value,
      confidence: 0.9,
      reason: 'a file that came along',
      attachment,
    };
  return isOwn ? { from, to: from, value, confidence: 1, reason: 'the same name' } : undefined;
}

/** Its own name, unless that would mean something else. */
export function asideKey(
  from: string,
  template: TemplateDefinition,
  isTaken: (key: string) => boolean,
): string {
  const means = (key: string) =>
    ENTITY_METADATA_KEYS.has(key) || template.fields.some((field) => field.name === key);
  const base = from.trim() === '' ? 'imported' : means(from) || isTaken(from) ? `imported_${from}` : from;
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? base : `${base}_${number}`;
    if (!isTaken(key) && !means(key)) return key;
  }
}
