import { type NamedEntity, namedEntities } from './reference-fields.ts';
import type { Proposal, Subject } from './types.ts';
import { valueAt } from './value-at.ts';

/** A name, or an id in another case, becomes the id of the one entity that fits; others dangle. */
export function proposeReferences(subject: Subject): Proposal[] {
  const { known } = subject.options;
  return namedEntities(subject)
    .filter(({ to_type, to_id }) => !known.exists(to_type, to_id))
    .map((named) => proposalFor(named, subject));
}

function proposalFor(named: NamedEntity, { document, options }: Subject): Proposal {
  const { path, to_type, to_id, start, end } = named;
  const [meant, ...others] = options.known.meant(to_type, to_id);
  if (meant === undefined) return dangling(named, options);
  if (others.length > 0) {
    const several = [meant, ...others].slice(0, 5).join(', ');
    return { kind: 'reference', path, action: 'refuse', reason: `it may mean any of ${several}` };
  }
  const text = String(valueAt(document.data, path));
  const value = text.slice(0, start) + meant + text.slice(end);
  return { kind: 'reference', path, action: 'set', value, reason: `means the ${to_type} '${meant}'` };
}

function dangling(
  { path, to_type, entry }: NamedEntity,
  { known, removeDangling }: Subject['options'],
): Proposal {
  const kind = 'dangling_reference';
  if (!known.hasType(to_type)) {
    return { kind, path, action: 'refuse', reason: `there is no type '${to_type}' here` };
  }
  const reason = `there is no such ${to_type}`;
  if (!removeDangling) {
    return { kind, path, action: 'refuse', reason: `${reason}; \`remove_dangling\` takes it out` };
  }
  return entry === null
    ? { kind, path, action: 'set', value: '', reason }
    : { kind, path: entry, action: 'remove', reason };
}
