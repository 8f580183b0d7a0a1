import type { TemplateDefinition } from '../content/template/index.ts';
import { folderOf } from '../world/entities/index.ts';
import { readContent } from '../world/scan/index.ts';
import { folderNameOf, type ImportItem } from '../world/texts/index.ts';
import type { ContentFolder } from './content-folder.ts';
import { type CliContext, yieldToSignals } from './context.ts';

export interface PlannedFolder {
  entity_type: string;
  entity_id: string;
  from: string;
  to: string;
}

export interface FolderImportPlan {
  imports: PlannedFolder[];
  refused: { path: string; reason: string }[];
  /** Number of entities that are here already. */
  present: number;
}

/** Decides which entities of another folder can be imported. Reads both folders, changes nothing. */
export async function planFolderImport(
  context: CliContext,
  source: ContentFolder,
  target: ContentFolder,
): Promise<FolderImportPlan> {
  const taken = await takenNames(context, target);
  const plan: FolderImportPlan = { imports: [], refused: [], present: taken.entities };
  const set = source.set.types.size > 0 ? source.set : target.set;
  for (const items of readContent({ ...source, set, under: null, markdownOnly: true })) {
    await yieldToSignals(context);
    for (const item of items) {
      const decision = decide(item, target.set.types, taken);
      if (decision === null) continue;
      if ('reason' in decision) plan.refused.push(decision);
      else plan.imports.push(decision);
    }
  }
  return plan;
}

interface TakenNames {
  entities: number;
  /** Taken names: `type/id` of entities and paths of folders. */
  names: Set<string>;
}

async function takenNames(context: CliContext, folder: ContentFolder): Promise<TakenNames> {
  const taken: TakenNames = { entities: 0, names: new Set() };
  for (const items of readContent({ ...folder, under: null, markdownOnly: true })) {
    await yieldToSignals(context);
    for (const { record, state } of items) {
      taken.names.add(folderOf(record.path));
      if (state === null) continue;
      taken.entities += 1;
      taken.names.add(`${state.entity_type}/${state.entity_id}`);
    }
  }
  return taken;
}

function decide(
  { record, state }: ImportItem,
  types: ReadonlyMap<string, TemplateDefinition>,
  taken: TakenNames,
): PlannedFolder | { path: string; reason: string } | null {
  const { path, problem } = record;
  if (state === null) {
    if (problem === null) return null;
    const { reason, line, column } = JSON.parse(problem) as { reason: string; line: number; column: number };
    return { path, reason: `line ${line}, column ${column}: ${reason}` };
  }
  const { entity_type, entity_id } = state;
  const template = types.get(entity_type);
  if (template === undefined)
    return { path, reason: `there is no template for the type '${entity_type}' here: copy it first` };
  const to = `${template.folder_name}/${folderNameOf(path)}`;
  const key = `${entity_type}/${entity_id}`;
  if (taken.names.has(key)) return { path, reason: `the id '${entity_id}' is in use` };
  if (taken.names.has(to)) return { path, reason: `the folder ${to} is in use` };
  taken.names.add(key).add(to);
  return { entity_type, entity_id, from: folderOf(path), to };
}
