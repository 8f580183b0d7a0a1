import { ENTITY_STATUSES, isEntityId } from '../entity/index.ts';
import type { Proposal, Subject } from './types.ts';
import { folded } from './words.ts';

const STATUS_WORDS: ReadonlyMap<string, string> = new Map([
  ...ENTITY_STATUSES.map((status) => [status, status] as const),
  ['archive', 'archived'],
  ['wip', 'draft'],
  ['work_in_progress', 'draft'],
]);

/** As the file states them. The entity's id never changes by this. */
export const proposeIdentity = ({ content, ...subject }: Subject): Proposal[] =>
  content.validation_errors.flatMap(({ code }): Proposal[] => {
    if (code === 'invalid_id') return proposeId({ content, ...subject });
    if (code === 'entity_type_mismatch') return proposeType({ content, ...subject });
    return code === 'unknown_status' ? proposeStatus({ content, ...subject }) : [];
  });

function proposeId({ document, folderId }: Subject): Proposal[] {
  const { id } = document.data;
  if (isEntityId(folderId) && id !== undefined && id !== null) {
    const reason = 'cannot be an id; the folder’s name is, and is used already';
    return [{ kind: 'id', path: ['id'], action: 'set', value: folderId, reason }];
  }
  const reason = 'the folder’s name cannot be an id: rename the folder, or let `canonry doctor --fix` do it';
  return [{ kind: 'id', path: id === undefined ? [] : ['id'], action: 'refuse', reason }];
}

function proposeType({ template, document }: Subject): Proposal[] {
  const path = ['entity_type'];
  const { entity_type: given } = document.data;
  if (typeof given === 'string' && folded(given) === template.entity_type) {
    const reason = 'is this type, written otherwise';
    return [{ kind: 'id', path, action: 'set', value: template.entity_type, reason }];
  }
  const reason = 'either the type is wrong or the file lies in the wrong folder';
  return [{ kind: 'id', path, action: 'refuse', reason }];
}

function proposeStatus({ document }: Subject): Proposal[] {
  const path = ['status'];
  const { status } = document.data;
  const meant = typeof status === 'string' ? STATUS_WORDS.get(folded(status)) : undefined;
  if (meant !== undefined) {
    return [{ kind: 'status', path, action: 'set', value: meant, reason: 'a status in other words' }];
  }
  const reason = `it is not certain which of ${ENTITY_STATUSES.join(', ')} is meant`;
  return [{ kind: 'status', path, action: 'refuse', reason }];
}
