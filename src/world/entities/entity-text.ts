import { type ReadDocument, readDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { invalid } from '../../kit/errors.ts';
import type { EntityRow, Project } from '../records/index.ts';
import { type EntityState, entityOfDocument } from '../texts/index.ts';
import { requireSize } from './entity-files.ts';

type EntityPlace = Pick<EntityRow, 'path' | 'entity_id'>;

export const textOf = ({ head, body }: ReadDocument): string => head + body;

/** 413 or 422 for a text that cannot be an entity's file. */
export function readable(project: Project, text: string): ReadDocument {
  requireSize(text, project);
  const read = readDocument(text);
  if (read.ok) return read;
  const { reason, code } = read.problem;
  throw invalid(`The file would not be readable: ${reason}`, { code });
}

/** The state to store. 413 for a text that is too large, 422 for one with another id. */
export function stateOf(
  project: Project,
  template: TemplateDefinition,
  { path, entity_id }: EntityPlace,
  document: ReadDocument,
): EntityState {
  const text = textOf(document);
  requireSize(text, project);
  const { state } = entityOfDocument(template, { path, document, checksum: checksumOf(text) });
  if (state.entity_id === entity_id) return state;
  throw invalid(`The text belongs to '${state.entity_id}', not to '${entity_id}'`, { code: 'id_mismatch' });
}

/** 413 or 422 for a text that cannot be this entity's file. */
export const requireText = (
  project: Project,
  template: TemplateDefinition,
  place: EntityPlace,
  text: string,
): void => void stateOf(project, template, place, readable(project, text));
