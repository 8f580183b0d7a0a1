import { classifyPath } from '../../content/paths/index.ts';
import { parseTemplate, type TemplateDefinition } from '../../content/template/index.ts';
import { messageOf } from '../../kit/errors.ts';
import { type FileStore, FilesError } from '../../platform/files/files.ts';
import {
  DEFINITION_FILE_LIMIT,
  type DefinitionProblem,
  type DefinitionRead,
  problemAt,
  readDefinition,
} from './definition-file.ts';

/** A template as it was read last without fault. */
export interface TemplateFile {
  definition: TemplateDefinition;
  text: string;
  /** Of the file's bytes. */
  checksum: string;
}

export type TemplateFileProblem = DefinitionProblem;

export interface TemplateFiles {
  /** By path; a file that is broken now stands here as it was last good. */
  files: ReadonlyMap<string, TemplateFile>;
  problems: TemplateFileProblem[];
  /** There is no template at all, though there were some: the folder itself may be gone. */
  vanished: boolean;
}

/** Most bytes of a template's file. */
export const TEMPLATE_FILE_LIMIT = DEFINITION_FILE_LIMIT;

const TEMPLATE_FOLDERS = ['_Templates/Core', '_Templates/Standard', '_Templates/Custom'] as const;
const KEPT = 'its last good definition stays in force';

/** The definition behind a template's text, or what is wrong with it. */
export function readTemplateText(path: string, text: string, checksum: string): DefinitionRead<TemplateFile> {
  const parsed = parseTemplate({ path, text });
  if (parsed.ok) return { file: { definition: parsed.template, text, checksum } };
  const { reason, line, column } = parsed.problem;
  return { problem: problemAt(path, reason, line, column) };
}

type Listing = { paths: string[]; problems: TemplateFileProblem[]; unreadable: boolean };

/** Markdown that no one would take for a note, and that is not named as templates are. */
const misnamed = (name: string): boolean => /\.md$/i.test(name) && !/^(?:[_.]|readme\b)/i.test(name);

async function listFolder(store: FileStore, folder: string): Promise<Listing> {
  const listing: Listing = { paths: [], problems: [], unreadable: false };
  try {
    for (const { name, kind } of await store.list(folder)) {
      const path = `${folder}/${name}`;
      if (kind !== 'file') continue;
      if (classifyPath(path, new Map()).role === 'template') listing.paths.push(path);
      else if (misnamed(name)) {
        const reason = `${name} is not read: the name of a template ends in _TEMPLATE.md`;
        listing.problems.push({ ...problemAt(path, reason), severity: 'warning' });
      }
    }
  } catch (error) {
    if (!(error instanceof FilesError) || error.code !== 'not_found') {
      listing.unreadable = true;
      listing.problems.push(problemAt(folder, messageOf(error)));
    }
  }
  return listing;
}

async function readFolder(
  store: FileStore,
  folder: string,
  known: ReadonlyMap<string, TemplateFile>,
): Promise<{ files: [string, TemplateFile][]; problems: TemplateFileProblem[]; seen: number }> {
  const { paths, problems, unreadable } = await listFolder(store, folder);
  if (unreadable) {
    const files = [...known].filter(([path]) => path.startsWith(`${folder}/`));
    return { files, problems, seen: files.length };
  }
  const files: [string, TemplateFile][] = [];
  for (const path of paths.sort()) {
    const earlier = known.get(path);
    const read = await readDefinition(store, path, earlier, readTemplateText);
    if (read === null) continue;
    if ('file' in read) {
      files.push([path, read.file]);
      continue;
    }
    if (earlier) files.push([path, earlier]);
    problems.push(earlier ? { ...read.problem, reason: `${read.problem.reason}; ${KEPT}` } : read.problem);
  }
  return { files, problems, seen: paths.length };
}

/**
 * Reads all template files of a project. A file that cannot be read is reported and stands for what `known` has of
 * it; when there is no template at all, all of `known` stays: a vanished folder takes no type away.
 */
export async function readTemplateFiles(
  store: FileStore,
  known: ReadonlyMap<string, TemplateFile>,
): Promise<TemplateFiles> {
  const folders = [];
  for (const folder of TEMPLATE_FOLDERS) folders.push(await readFolder(store, folder, known));
  const problems = folders.flatMap((folder) => folder.problems);
  if (folders.some((folder) => folder.seen > 0)) {
    return { files: new Map(folders.flatMap((folder) => folder.files)), problems, vanished: false };
  }
  const reason = `there are no templates in ${TEMPLATE_FOLDERS.join(', ')}`;
  const kept =
    known.size > 0 ? `; the ${known.size} known ones stay in force` : '; put one there, or run init';
  return {
    files: known,
    problems: [...problems, problemAt('_Templates', reason + kept)],
    vanished: known.size > 0,
  };
}
