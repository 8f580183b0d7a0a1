import { readDocument } from '../../content/frontmatter/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { findRowById, type Project, type RecordsDb, unpackText } from '../records/index.ts';
import { entityOfDocument } from '../texts/index.ts';
import type { Draft } from './draft.ts';
import { partsIn, union } from './parts.ts';
import type { FullRow } from './proposals.store.ts';
import { textWith } from './proposed-text.ts';
import { contentIn, partsOf } from './shown.ts';

/** A stored proposal as a draft again: what is accepted of it is its base. */
export async function draftOfRow(
  project: Project,
  template: TemplateDefinition,
  row: FullRow,
): Promise<Draft> {
  const present = await project.database.read((db: RecordsDb) => findRowById(db, project, row.row_id ?? 0));
  const path = present?.path ?? entityFilePath(template, row.entity_id);
  const parts = partsOf(row);
  const content = contentIn(row);
  const base = await unpackText(row.base, null);
  const accepted = partsIn(parts, 'accepted');
  const read = (text: string) => {
    const document = readDocument(text);
    if (!document.ok) throw new Error(`the draft of proposal ${row.proposal_id} is not readable`);
    return entityOfDocument(template, { path, document, checksum: checksumOf(text) });
  };
  return {
    template,
    row: present ?? null,
    content,
    base: read(textWith(template, base, content, accepted)),
    full: read(textWith(template, base, content, union(accepted, partsIn(parts, 'open')))),
  };
}
