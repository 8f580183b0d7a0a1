import type { TemplateDefinition } from '../../content/template/index.ts';
import type { Project } from '../records/index.ts';
import { contentJson, type EntityState } from '../texts/index.ts';
import { type PlacedFinding, placed } from './canon.lines.ts';
import { type CanonSource, checkCanon, type FoundFinding } from './canon.run.ts';
import { headsAt } from './canon.store.ts';
import { sortOut } from './canon.tally.ts';
import { readSettingsFile } from './canon-settings.service.ts';
import { neighboursOf } from './neighbours.ts';

/** An entity as it is, or as it would be made from nothing (`before` is null), and as it would become. */
export interface CanonDraft {
  before: EntityState | null;
  after: EntityState;
}

const keyOf = ({ entity_type, entity_id }: { entity_type: string; entity_id: string }): string =>
  `${entity_type}/${entity_id}`;

/**
 * The contradictions that drafts together would bring into the world, without accepted ones. Only what is near the drafts is read, so
 * that the time does not grow with the world.
 */
export async function canonOfDrafts(
  project: Project,
  types: ReadonlyMap<string, TemplateDefinition>,
  drafts: readonly CanonDraft[],
): Promise<FoundFinding[]> {
  const file = await readSettingsFile(project.files);
  const changed = new Set(drafts.map(({ after }) => keyOf(after)));
  const near = (await neighboursOf(project, drafts)).filter((source) => !changed.has(keyOf(source)));
  const check = async (states: readonly EntityState[]): Promise<FoundFinding[]> => {
    const sources: CanonSource[] = [...near, ...states.map(sourceOf)];
    const { findings } = await checkCanon(types, file.settings.calendar, onePage(sources));
    return sortOut(findings, file).open;
  };
  const replaced = drafts.flatMap((draft) => draft.before ?? []);
  const before = replaced.length === 0 ? [] : await check(replaced);
  const known = new Set(before.map(({ finding_id }) => finding_id));
  const after = await check(drafts.map((draft) => draft.after));
  return after.filter(
    ({ finding_id, evidence }) => !known.has(finding_id) && evidence.some((side) => changed.has(keyOf(side))),
  );
}

/** The contradictions between a draft and the world, also those that are there already, with the lines that the draft would have. */
export async function canonOfDraft(
  project: Project,
  types: ReadonlyMap<string, TemplateDefinition>,
  draft: EntityState,
  most: number,
): Promise<PlacedFinding[]> {
  if (draft.status === 'archived') return [];
  const found = await canonOfDrafts(project, types, [{ before: null, after: draft }]);
  return placed(found.slice(0, most), async (paths) => {
    const rows = await headsAt(project, paths);
    return new Map([...rows.map(({ path, head }) => [path, head] as const), [draft.path, draft.head]]);
  });
}

const sourceOf = (state: EntityState): CanonSource => ({
  entity_type: state.entity_type,
  path: state.path,
  json: contentJson(state),
});

async function* onePage(sources: readonly CanonSource[]): AsyncGenerator<readonly CanonSource[]> {
  yield sources;
}
