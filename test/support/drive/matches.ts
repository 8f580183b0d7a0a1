import { headOf, type StoredFile } from './objects.ts';
import { type Query, timeOf } from './query.ts';
import type { Store } from './store.ts';

export function matches(store: Store, query: Query, file: StoredFile): boolean {
  switch (query.kind) {
    case 'and':
      return matches(store, query.left, file) && matches(store, query.right, file);
    case 'or':
      return matches(store, query.left, file) || matches(store, query.right, file);
    case 'not':
      return !matches(store, query.inner, file);
    case 'has':
      return (query.field === 'properties' ? file.properties : file.appProperties)[query.key] === query.value;
    case 'in':
      return isIn(store, query, file);
    case 'compare':
      return compare(store, query, file);
  }
}

/** The parent that all results of a query have; null if it does not say. */
export function parentIn(query: Query): string | null {
  if (query.kind === 'and') return parentIn(query.left) ?? parentIn(query.right);
  return query.kind === 'in' && query.field === 'parents' ? query.value : null;
}

export const hasFullText = (query: Query): boolean => {
  if (query.kind === 'and' || query.kind === 'or') return hasFullText(query.left) || hasFullText(query.right);
  if (query.kind === 'not') return hasFullText(query.inner);
  return query.kind === 'compare' && query.field === 'fullText';
};

function isIn(store: Store, { field, value }: { field: string; value: string }, file: StoredFile): boolean {
  if (field === 'parents') return file.parentId === (value === 'root' ? store.rootId : value);
  const email = value === 'me' ? store.account.emailAddress : value;
  if (file.owner.emailAddress === email) return true;
  const roles =
    field === 'owners' ? [] : field === 'writers' ? ['writer'] : ['writer', 'commenter', 'reader'];
  return file.permissions.some((each) => each.emailAddress === email && roles.includes(each.role));
}

function compare(
  store: Store,
  { field, operator, value }: { field: string; operator: string; value: string | boolean },
  file: StoredFile,
): boolean {
  if (typeof value === 'boolean') {
    const is =
      field === 'trashed'
        ? store.isTrashed(file)
        : field === 'sharedWithMe' && file.owner !== store.account && file.permissions.length > 0;
    return (is === value) === (operator === '=');
  }
  if (field === 'fullText') return hasWords(file, value);
  if (field === 'name') {
    if (operator === 'contains') return startsWord(file.name, value);
    // The real drive does not tell cases apart here.
    return (file.name.toLowerCase() === value.toLowerCase()) === (operator === '=');
  }
  if (field === 'mimeType')
    return operator === 'contains'
      ? file.mimeType.startsWith(value)
      : (file.mimeType === value) === (operator === '=');
  if (field === 'visibility') return (value === 'limited') === (operator === '=');
  const [time, other] = [field === 'createdTime' ? file.createdAt : file.modifiedAt, timeOf(value)];
  const sign = Math.sign(time - other);
  return {
    '<': sign < 0,
    '<=': sign <= 0,
    '=': sign === 0,
    '!=': sign !== 0,
    '>': sign > 0,
    '>=': sign >= 0,
  }[operator] as boolean;
}

/** The real drive finds the beginnings of words only. */
function startsWord(text: string, part: string): boolean {
  const pattern = part.toLowerCase().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?:^|[^\\p{L}\\p{N}])${pattern}`, 'u').test(text.toLowerCase());
}

function hasWords(file: StoredFile, value: string): boolean {
  const head = headOf(file);
  const isText = head && /^text\/|json|vnd\.google-apps/.test(head.mimeType);
  const all = [file.name, file.description, isText ? head.content.toString() : ''].join('\n');
  const phrase = /^"(.*)"$/su.exec(value)?.[1];
  const words = phrase === undefined ? value.split(/\s+/u).filter(Boolean) : [phrase];
  return words.every((word) => startsWord(all, word));
}
