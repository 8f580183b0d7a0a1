import { keyBefore } from '../entity/index.ts';
import { changeDocument, type ReadDocument } from '../frontmatter/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import type { Path, Proposal } from './types.ts';
import { valueAt } from './value-at.ts';

export type Change = Exclude<Proposal, { action: 'refuse' }>;
type Setting = Extract<Proposal, { action: 'set' }>;

const isRemoval = ({ action }: Change): boolean => action === 'remove';
const isSetting = (change: Change): change is Setting => change.action === 'set';

/** Changes that can be applied together: one per place; entries are removed last, from the end. */
export function compatible(changes: readonly Change[]): Change[] {
  const places = new Set<string>();
  const above = new Set<string>();
  const chosen = changes.filter(({ path }) => {
    const prefixes = path.map((_step, index) => JSON.stringify(path.slice(0, index + 1)));
    const place = JSON.stringify(path);
    if (above.has(place) || prefixes.some((prefix) => places.has(prefix))) return false;
    places.add(place);
    for (const prefix of prefixes) above.add(prefix);
    return true;
  });
  return [...chosen.filter(isSetting), ...chosen.filter(isRemoval).toReversed()];
}

/** Compatible changes. All other lines stay byte for byte. Throws DocumentError if that is impossible. */
export function applyChanges(
  template: TemplateDefinition,
  document: ReadDocument,
  changes: readonly Change[],
): ReadDocument {
  const settings = changes.filter(isSetting);
  const removals = changes.filter(isRemoval).map(({ path }) => path);
  const changed = settings.length === 0 ? document : applySettings(template, document, settings);
  return removals.length === 0 ? changed : applyRemovals(changed, removals);
}

function applySettings(
  template: TemplateDefinition,
  document: ReadDocument,
  settings: readonly Setting[],
): ReadDocument {
  const present = { ...document.data };
  const after: Record<string, string> = {};
  for (const { path, value } of settings) {
    const [key = ''] = path.map(String);
    if (Object.hasOwn(present, key)) continue;
    const before = keyBefore(template, present, key);
    if (before !== undefined) after[key] = before;
    present[key] = value;
  }
  const setIn = settings.map(({ path, value }) => ({ path: path.map(String), value }));
  return changeDocument(document, { setIn, after });
}

function applyRemovals(document: ReadDocument, removals: readonly Path[]): ReadDocument {
  const lists = Map.groupBy(removals, (path) => JSON.stringify(path.slice(0, -1)));
  const setIn = [...lists.values()].map((paths) => {
    const above = paths[0]?.slice(0, -1) ?? [];
    const gone = new Set(paths.map((path) => Number(path.at(-1))));
    const list = valueAt(document.data, above) as unknown[];
    return { path: above.map(String), value: list.filter((_entry, index) => !gone.has(index)) };
  });
  return changeDocument(document, { setIn });
}
