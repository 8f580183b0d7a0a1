import { deepEqual } from '../../text/json.ts';
import { ENTITY_METADATA_KEYS, type TemplateDefinition } from '../template/index.ts';
import { type Attachments, placeOfAttachment } from './attachments.ts';
import { type Attribute, asideKey, attributeOf } from './attributes.ts';
import { type AskedMapping, type Identified, identityMapping, isOurs } from './identify.ts';
import { type Match, matchFields } from './match-fields.ts';
import { rewriteLinks } from './rewrite-links.ts';
import type { Finder, Targets } from './targets.ts';
import type { LossReport, Note } from './types.ts';
import { keyOf } from './words.ts';

/** And what became of everything its note said. */
export interface Draft {
  entity_type: string;
  entity_id: string;
  name: string;
  status: string | null;
  fields: Record<string, unknown>;
  /** Besides name, status and fields, as in the source. */
  metadata: Record<string, unknown>;
  markdown_body: string;
  /** From the path in the source to the path in the entity's folder. */
  attachments: { from: string; to: string }[];
  report: LossReport;
}

export interface DraftOptions {
  targets: Targets;
  attachments: Attachments;
  mapping: AskedMapping;
}

/**
 * Each property becomes a field or attribute, is kept under a key of its own, or is named in the report: nothing
 * disappears. Pure.
 */
export function draftOf(identified: Identified, options: DraftOptions): Draft {
  const { note, name, type, template, entity_id } = identified;
  const draft: Draft = {
    entity_type: template.entity_type,
    entity_id,
    name: name.name,
    status: null,
    fields: {},
    metadata: {},
    markdown_body: note.body,
    attachments: [],
    report: {
      kept: [],
      mapped: [],
      kept_aside: [],
      refused: [...note.refused],
      links: { resolved: 0, unresolved: [] },
      attachments: [],
    },
  };
  const rest = takeAttributes(draft, identified, options);
  const ours = isOurs(note, template);
  const isFree = (key: string) => options.mapping.has(key) || !(ours || saysTypeAlone(identified, key));
  const finder = options.targets.seenFrom(note.path);
  const { matches, proposals, misfits } = matchFields(
    template,
    rest.filter(isFree).map((key) => [key, note.properties[key]] as const),
    { finder, asked: options.mapping, self: draft },
  );
  for (const match of matches) takeMatch(draft, match, template, note);
  const matched = new Set(matches.map(({ from }) => from));
  for (const from of rest.filter((key) => !matched.has(key))) {
    if (ours && !options.mapping.has(from)) {
      keepAsItStands(draft, from, note.properties[from]);
      continue;
    }
    const says = from === type.property ? `says that it is a ${type.entity_type}` : undefined;
    const proposed = proposals.get(from);
    const unfit = proposed === undefined ? 'no field fits it' : 'no field is sure to be meant';
    const unasked = options.mapping.has(from) ? 'asked for' : unfit;
    const as = options.mapping.get(from) ?? from;
    const to = keep(draft, as, note.properties[from], template);
    const reason = says ?? misfits.get(from) ?? unasked;
    draft.report.kept_aside.push({ from, to, reason, ...(proposed && { proposed }) });
  }
  addTags(draft, note, template);
  takeBody(draft, note, template, { ...options, finder });
  draft.report.attachments = draft.attachments;
  return draft;
}

/** `type: Location` only repeats the type; `type: tavern` may be a field too. */
function saysTypeAlone({ note, type, template }: Identified, from: string): boolean {
  const said = keyOf(String(note.properties[from]));
  const own = [template.entity_type, template.label, template.folder_name].map(keyOf);
  return from === type.property && own.includes(said);
}

/** The remaining properties may be fields. */
function takeAttributes(draft: Draft, identified: Identified, options: DraftOptions): string[] {
  const { note, name, template } = identified;
  const rest: string[] = [];
  for (const [from, value] of Object.entries(note.properties)) {
    const identity = identityMapping(identified, from, value);
    if (from === name.property) takeName(draft, from);
    else if (identity === 'kept') draft.report.kept.push(from);
    else if (identity !== undefined) draft.report.mapped.push(identity);
    else {
      const attribute = attributeOf(note, from, template, options);
      const stays = isOurs(note, template) && !options.mapping.has(from) && attribute?.to !== from;
      const isFree = attribute !== undefined && !stays && !isTaken(draft, attribute.to);
      if (isFree) takeAttribute(draft, attribute, template);
      else rest.push(from);
    }
  }
  return rest;
}

function isTaken({ status, metadata, markdown_body }: Draft, to: string): boolean {
  if (to === 'status') return status !== null;
  return to === 'markdown_body' ? markdown_body.trim() !== '' : Object.hasOwn(metadata, to);
}

function takeName({ report }: Draft, from: string): void {
  if (from === 'name') report.kept.push(from);
  else
    report.mapped.push({
      from,
      to: 'name',
      confidence: from === 'title' ? 0.95 : 0.8,
      reason: 'what it is called',
    });
}

function takeAttribute(draft: Draft, attribute: Attribute, template: TemplateDefinition): void {
  const { from, to, value, confidence, reason, attachment } = attribute;
  if (to === 'status') draft.status = String(value);
  else if (to === 'markdown_body') draft.markdown_body = String(value);
  else draft.metadata[to] = attachment === undefined ? value : attach(draft, attachment, template);
  if (from === to && confidence === 1) draft.report.kept.push(from);
  else draft.report.mapped.push({ from, to, confidence, reason });
}

/** Once; resolves to its path in the entity's folder. */
function attach({ attachments }: Draft, from: string, template: TemplateDefinition): string {
  const known = attachments.find((attachment) => attachment.from === from);
  if (known) return known.to;
  const to = placeOfAttachment(
    from,
    template,
    attachments.map((attachment) => attachment.to),
  );
  attachments.push({ from, to });
  return to;
}

function takeMatch(draft: Draft, match: Match, template: TemplateDefinition, note: Note): void {
  const { from, field, confidence, reason, conversion } = match;
  const { report } = draft;
  draft.fields[field.name] = conversion.value;
  report.links.resolved += conversion.resolved;
  for (const each of conversion.unresolved) report.links.unresolved.push({ line: null, ...each });
  if (from === field.name && deepEqual(conversion.value, note.properties[from])) {
    report.kept.push(from);
    return;
  }
  const original = conversion.partly
    ? { original_kept_as: keep(draft, from, note.properties[from], template) }
    : {};
  report.mapped.push({ from, to: field.name, confidence, reason, ...original });
}

/** A key of a file of ours keeps its meaning, even if the template does not know it. */
function keepAsItStands(draft: Draft, key: string, value: unknown): void {
  (ENTITY_METADATA_KEYS.has(key) ? draft.metadata : draft.fields)[key] = value;
  draft.report.kept.push(key);
}

function keep(draft: Draft, as: string, value: unknown, template: TemplateDefinition): string {
  const key = asideKey(as, template, (each) => Object.hasOwn(draft.fields, each));
  draft.fields[key] = value;
  return key;
}

/** They join the note's tags and stay in the text. */
function addTags(draft: Draft, note: Note, template: TemplateDefinition): void {
  const field = template.fields.find((each) => keyOf(each.name) === 'tags' && each.type === 'array');
  if (field === undefined || note.tags.length === 0 || isOurs(note, template)) return;
  const listed = draft.fields[field.name];
  const tags = Array.isArray(listed) ? listed : [];
  const more = note.tags.filter((tag) => !tags.includes(tag));
  if (more.length > 0) draft.fields[field.name] = [...tags, ...more];
}

function takeBody(
  draft: Draft,
  note: Note,
  template: TemplateDefinition,
  { finder, attachments }: DraftOptions & { finder: Finder },
): void {
  const { report } = draft;
  const rewritten = rewriteLinks(draft.markdown_body, {
    notePath: note.path,
    firstLine: note.bodyLine,
    finder,
    attachments,
    attach: (path) => attach(draft, path, template),
  });
  draft.markdown_body = rewritten.text;
  report.links.resolved += rewritten.resolved;
  report.links.unresolved = [...report.links.unresolved, ...rewritten.unresolved];
}
