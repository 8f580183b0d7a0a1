import type { TemplateDefinition } from '../../content/template/index.ts';
import type { Project } from '../records/index.ts';
import { contentJson, type EntityState } from '../texts/index.ts';
import { type CanonSource, checkCanon, type FoundFinding } from './canon.run.ts';
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
  const before = await check(drafts.flatMap((draft) => draft.before ?? []));
  const known = new Set(before.map(({ finding_id }) => finding_id));
  const after = await check(drafts.map((draft) => draft.after));
  return after.filter(
    ({ finding_id, evidence }) => !known.has(finding_id) && evidence.some((side) => changed.has(keyOf(side))),
  );
}

const sourceOf = (state: EntityState): CanonSource => ({
  entity_type: state.entity_type,
  path: state.path,
  json: contentJson(state),
});

async function* onePage(sources: readonly CanonSource[]): AsyncGenerator<readonly CanonSource[]> {
  yield sources;
}
