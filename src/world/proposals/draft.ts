import { bodyHunks, withLineBreaksOf } from '../../content/ai/index.ts';
import {
  checkFieldsForWrite,
  ENTITY_STATUSES,
  isEntityId,
  newDocumentData,
} from '../../content/entity/index.ts';
import { newDocument, type ReadDocument, readDocument } from '../../content/frontmatter/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, invalid, invalidField } from '../../kit/errors.ts';
import { deepEqual } from '../../text/json.ts';
import { loadVersion, requireName, requireSize, written } from '../entities/index.ts';
import type { EntityRow, Project } from '../records/index.ts';
import { type EntityFile, entityOfDocument } from '../texts/index.ts';
import type { NewProposal, ProposedField } from './proposal.ts';
import { type Content, documentWith } from './proposed-text.ts';

type ReadFile = EntityFile & { ok: true };

/** A proposal's texts: what it is made from, and all of it applied. */
export interface Draft {
  template: TemplateDefinition;
  /** Null proposes a new entity. */
  row: EntityRow | null;
  base: ReadFile;
  content: Content;
  full: ReadFile;
}

/** 409 for a base that is not kept, 413 and 422 for what no file could hold, 422 for a proposal that changes nothing. */
export async function draftOf(
  project: Project,
  template: TemplateDefinition,
  proposal: NewProposal,
  { row, today }: { row: EntityRow | null; today: string },
): Promise<Draft> {
  requireFields(template, proposal.fields);
  const path = row?.path ?? entityFilePath(template, proposal.entity_id);
  const read = (document: ReadDocument): ReadFile => {
    const text = document.head + document.body;
    requireSize(text, project);
    return entityOfDocument(template, { path, document, checksum: checksumOf(text) });
  };
  const base = read(
    row === null ? newBase(template, proposal, today) : await versionOf(project, row, proposal.base_version),
  );
  const content = contentOf(base, proposal, row === null);
  const names = Object.keys(content.fields);
  if (names.length + content.hunks.length === 0)
    throw invalid('The proposal changes nothing: every value is as it is already', {
      code: 'nothing_proposed',
    });
  const all = { fields: new Set(names), hunks: new Set(content.hunks.map(({ id }) => id)) };
  const full = read(written(() => documentWith(template, base.document, content, all)));
  return { template, row, base, content, full };
}

/** Name and status are attributes; whatever else belongs to the entity or its file is nobody's to propose. */
function requireFields(template: TemplateDefinition, fields: NewProposal['fields']): void {
  const { name, status, ...others } = fields;
  if (name !== undefined) requireName(typeof name === 'string' ? name : '');
  if (status !== undefined && !ENTITY_STATUSES.some((known) => known === status))
    throw invalidField('status', `must be one of ${ENTITY_STATUSES.join(', ')}`);
  // Null is a value of every field, so that what is left are names that cannot be fields.
  const nulls = Object.fromEntries(Object.keys(others).map((field) => [field, null]));
  const [fault] = checkFieldsForWrite(template, nulls);
  if (fault) throw invalidField(`fields.${fault.field}`, fault.message);
}

async function versionOf(project: Project, row: EntityRow, version: number | null): Promise<ReadDocument> {
  const { text } = await loadVersion(project, row, version ?? row.version);
  const document = readDocument(text, { toEdit: true });
  if (document.ok) return document;
  throw conflict(`Version ${version} cannot be read, so nothing can be proposed for it`, {
    code: 'unreadable_base',
  });
}

/** The file that accepting a new entity would write with nothing but its name and status. */
function newBase(template: TemplateDefinition, proposal: NewProposal, today: string): ReadDocument {
  const { entity_id, fields } = proposal;
  if (!isEntityId(entity_id) || entity_id === 'schema')
    throw invalidField('entity_id', `'${entity_id}' must be lower-case letters, digits and underscores`);
  const name = requireName(typeof fields.name === 'string' ? fields.name : '');
  const status = typeof fields.status === 'string' ? fields.status : 'draft';
  const data = newDocumentData(template, { entity_id, name, status, fields: {}, today });
  return written(() => newDocument(data, template.skeleton));
}

function contentOf({ content, document }: ReadFile, proposal: NewProposal, isNew: boolean): Content {
  const before = new Map<string, unknown>(Object.entries(content.own_fields));
  if (!isNew) before.set('name', content.name).set('status', content.status);
  const fields = Object.entries(proposal.fields).flatMap(([name, after]): [string, ProposedField][] => {
    const present = before.get(name) ?? null;
    return after === undefined || deepEqual(present, after) ? [] : [[name, { before: present, after }]];
  });
  const { markdown_body: body } = proposal;
  const hunks = body === null ? [] : bodyHunks(document.body, withLineBreaksOf(document.body, body));
  return { fields: Object.fromEntries(fields), hunks };
}
