import { canonicalContent } from '../../../content/canonical.ts';
import { readDocument } from '../../../content/frontmatter/index.ts';
import { titleOf } from '../../../content/template/index.ts';
import { checksumOf } from '../../../kit/crypto.ts';
import { TEMPLATE_ROW_TYPE } from '../../records/index.ts';
import { type EntityState, replyTexts } from '../../texts/index.ts';
import type { TemplateFile } from './template-kind.ts';

const DATE = /^\d{4}-\d{2}-\d{2}/;

/** A template as the row of `entities` that mirrors it (spec 1 §2.2). */
export function templateState({ definition, text, checksum }: TemplateFile): EntityState {
  const read = readDocument(text);
  const { head, body, data } = read.ok ? read : { head: '', body: text, data: {} };
  const created = definition.metadata.created_date;
  const date = typeof created === 'string' ? DATE.exec(created)?.[0] : undefined;
  const {
    body: _body,
    skeleton: _skeleton,
    metadata: _metadata,
    rules: _rules,
    problems,
    ...fields
  } = definition;
  return stateOf({
    type: definition.entity_type,
    name: definition.label,
    status: definition.status,
    path: definition.path,
    head,
    body,
    checksum: checksumOf(canonicalContent(data, body)),
    fileChecksum: checksum,
    createdAt: date === undefined ? null : `${date}T00:00:00.000Z`,
    fields,
    errors: problems.map(({ message, line, field }) => ({
      field: field ?? null,
      message,
      line: line ?? null,
    })),
    version: definition.template_version,
  });
}

/** The state of an unreadable template, so that replacing it leaves a revision behind. */
export const brokenTemplateState = (type: string, path: string, text: string, reason: string): EntityState =>
  stateOf({
    type,
    name: titleOf(type),
    status: 'draft',
    path,
    head: '',
    body: text,
    checksum: checksumOf(text),
    fileChecksum: checksumOf(text),
    createdAt: null,
    fields: {},
    errors: [{ field: null, message: reason, line: null }],
    version: null,
  });

interface Parts {
  type: string;
  name: string;
  status: string;
  path: string;
  head: string;
  body: string;
  checksum: string;
  fileChecksum: string;
  createdAt: string | null;
  fields: object;
  errors: readonly object[];
  version: string | null;
}

function stateOf(parts: Parts): EntityState {
  const reply = {
    entity_type: TEMPLATE_ROW_TYPE,
    entity_id: parts.type,
    name: parts.name,
    status: parts.status,
    fields: parts.fields,
    markdown_body: parts.body,
    primary_asset: null,
    production_status: null,
    template_version: parts.version,
  };
  return {
    entity_type: TEMPLATE_ROW_TYPE,
    entity_id: parts.type,
    name: parts.name,
    status: parts.status,
    is_valid: parts.errors.length === 0,
    created_at: parts.createdAt,
    path: parts.path,
    head: parts.head,
    checksum: parts.checksum,
    file_checksum: parts.fileChecksum,
    ...replyTexts(reply),
    validation_errors: parts.errors,
    questions: [],
    search: { name: '', fields: '', body: '' },
    references: [],
  };
}
