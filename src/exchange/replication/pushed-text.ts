import { nameFromId, newDocumentData } from '../../content/entity/index.ts';
import { newDocument, readDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { invalid } from '../../kit/errors.ts';
import { editEntity, requireUpdate, type UpdateInput, written } from '../../world/entities/index.ts';
import { readEntityFile } from '../../world/texts/index.ts';
import type { PushedEntity } from './push.contract.ts';

/** A push without a whole text. `name` and `status` may be among the fields. */
function updateOf({ fields = {}, name, status, markdown_body }: PushedEntity): UpdateInput {
  const { name: nameField, status: statusField, ...own } = fields;
  return {
    name: name ?? textOr(nameField),
    status: status ?? textOr(statusField),
    fields: own,
    markdown_body,
  };
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The text of a new entity. 422 for invalid values. */
export function newText(template: TemplateDefinition, pushed: PushedEntity, today: string): string {
  if (pushed.content !== undefined) return verified(template, pushed, pushed.content);
  const { entity_id } = pushed;
  const { name = nameFromId(entity_id), status = 'draft', fields = {}, markdown_body } = updateOf(pushed);
  requireUpdate(template, { name, fields });
  const data = newDocumentData(template, { entity_id, name, status, fields, today });
  const { head, body } = written(() => newDocument(data, markdown_body ?? template.skeleton));
  return head + body;
}

/** The pushed changes applied to their base text. 422 for invalid values. */
export function editedText(
  template: TemplateDefinition,
  pushed: PushedEntity,
  from: string,
  today: string,
): string {
  if (pushed.content !== undefined) return verified(template, pushed, pushed.content);
  const update = updateOf(pushed);
  requireUpdate(template, update);
  const source = readDocument(from);
  if (!source.ok) {
    throw invalid('The version that this was made from cannot be read: send the whole text as content', {
      code: 'unreadable_base',
    });
  }
  const { changed, document } = editEntity(template, source, update, today);
  return changed.length === 0 ? from : document.head + document.body;
}

/** Checks the checksum that was sent; those of unknown algorithms are ignored. */
function verified(
  template: TemplateDefinition,
  { checksum, path, entity_id }: PushedEntity,
  text: string,
): string {
  if (!checksum?.startsWith('sha256:')) return text;
  const ofBytes = checksumOf(text);
  if (checksum === ofBytes) return text;
  const file = { path: path ?? `${entity_id}/${entity_id}.md`, text, checksum: ofBytes };
  const read = readEntityFile(template, file);
  if (read.ok && read.state.checksum === checksum) return text;
  throw invalid('The text is not the one that the checksum was made of: send it again', {
    code: 'checksum_mismatch',
  });
}
