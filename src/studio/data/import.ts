import type { TypesByPlace } from '../domain/import-rows.ts';
import { type Api, apiOf } from './api.ts';
import { markWorld } from './cache.ts';
import { ended, type Operation } from './operations.ts';
import type { Picked } from './picked-files.ts';

export type ImportReport = Awaited<ReturnType<Api['importReport']>>;
export type ImportNote = ImportReport['notes'][number];

export const IMPORT_MODES = ['skip', 'merge', 'replace'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

export interface ImportChoices {
  mode: ImportMode;
  /** The type of notes that do not say theirs; null leaves them out. */
  defaultType: string | null;
  /** By note, table or folder. */
  types: TypesByPlace;
}

const callOf = ({ archive }: Picked, { mode, defaultType, types }: ImportChoices, isDryRun: boolean) => ({
  body: {
    mode,
    dry_run: isDryRun,
    types: JSON.stringify(types),
    ...(defaultType !== null && { default_type: defaultType }),
  },
  files: { archive },
});

/** The result that an import would have for each note. Nothing is written. */
export const previewImport = (
  project: string,
  picked: Picked,
  choices: ImportChoices,
  signal: AbortSignal,
): Promise<ImportReport> => apiOf(project).importArchive({ ...callOf(picked, choices, true), signal });

/** Writes all of it as one operation. `onProgress` hears of one that takes longer. */
export async function runImport(
  project: string,
  picked: Picked,
  choices: ImportChoices,
  onProgress: (operation: Operation) => void,
): Promise<ImportReport> {
  // A long import is answered by its operation.
  const answer: ImportReport | Operation = await apiOf(project).importArchive(callOf(picked, choices, false));
  if ('notes' in answer) return finished(project, answer);
  const { operation_id } = await ended(project, answer, onProgress);
  return finished(project, await apiOf(project).importReport({ params: { operation_id } }));
}

async function finished<Result>(project: string, result: Result): Promise<Result> {
  await markWorld(project);
  return result;
}
