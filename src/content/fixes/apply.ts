import { keyBefore } from '../entity/index.ts';
import { changeDocument, type ReadDocument } from '../frontmatter/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import type { Path, Proposal } from './types.ts';
import { valueAt } from './value-at.ts';

export type Change = Exclude<Proposal, { action: 'refuse' }>;

const overlaps = (a: Path, b: Path): boolean => {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((step, index) => step === b[index]);
};

/** Changes that can be applied one after the other: one per place; entries are removed last, from the end. */
export function compatible(changes: readonly Change[]): Change[] {
  const chosen: Change[] = [];
  for (const change of changes) {
    if (!chosen.some(({ path }) => overlaps(path, change.path))) chosen.push(change);
  }
  const removals = chosen.filter(({ action }) => action === 'remove');
  return [...chosen.filter(({ action }) => action !== 'remove'), ...removals.toReversed()];
}

/** All other lines stay byte for byte. Throws DocumentError if that is impossible. */
export function applyChange(
  template: TemplateDefinition,
  document: ReadDocument,
  change: Change,
): ReadDocument {
  const { path } = change;
  if (change.action === 'remove') {
    const above = path.slice(0, -1);
    const list = valueAt(document.data, above) as unknown[];
    return changeDocument(document, {
      setIn: [{ path: above.map(String), value: list.toSpliced(Number(path.at(-1)), 1) }],
    });
  }
  const [key = ''] = path.map(String);
  const before = Object.hasOwn(document.data, key) ? undefined : keyBefore(template, document.data, key);
  return changeDocument(document, {
    setIn: [{ path: path.map(String), value: change.value }],
    ...(before !== undefined && { after: { [key]: before } }),
  });
}
