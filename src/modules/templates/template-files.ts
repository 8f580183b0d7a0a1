import { DOCUMENT_LIMITS, decodeUtf8 } from '../../content/frontmatter/index.ts';
import { classifyPath } from '../../content/paths/index.ts';
import { parseTemplate, type TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { messageOf } from '../../kit/errors.ts';
import { type FileStore, FilesError } from '../../platform/files/files.ts';

/** A template as it was read last without fault. */
export interface TemplateFile {
  definition: TemplateDefinition;
  text: string;
  /** Of the file's bytes. */
  checksum: string;
}

/** What an author should know about a template's file; `line` and `column` count from 1 and are null where unknown. */
export interface TemplateFileProblem {
  path: string;
  reason: string;
  line: number | null;
  column: number | null;
  severity: 'error' | 'warning';
}

export interface TemplateFiles {
  /** By path; a file that is broken now stands here as it was last good. */
  files: ReadonlyMap<string, TemplateFile>;
  problems: TemplateFileProblem[];
}

/** Most bytes of a template's file. */
export const TEMPLATE_FILE_LIMIT = DOCUMENT_LIMITS.bytes;

const TEMPLATE_FOLDERS = ['_Templates/Core', '_Templates/Standard', '_Templates/Custom'] as const;
const KEPT = 'its last good definition stays in force';

type Read = { file: TemplateFile } | { problem: TemplateFileProblem } | null;

const problemAt = (
  path: string,
  reason: string,
  line: number | null = null,
  column: number | null = null,
): TemplateFileProblem => ({ path, reason, line, column, severity: 'error' });

/** The definition behind a template's text, or what is wrong with it. */
export function readTemplateText(path: string, text: string, checksum: string): Exclude<Read, null> {
  const parsed = parseTemplate({ path, text });
  if (parsed.ok) return { file: { definition: parsed.template, text, checksum } };
  const { reason, line, column } = parsed.problem;
  return { problem: problemAt(path, reason, line, column) };
}

async function readOne(store: FileStore, path: string, known: TemplateFile | undefined): Promise<Read> {
  try {
    const stat = await store.stat(path);
    if (stat === undefined) return null;
    if (stat.size > TEMPLATE_FILE_LIMIT) {
      return { problem: problemAt(path, `the file is larger than ${TEMPLATE_FILE_LIMIT} bytes`) };
    }
    const bytes = await store.read(path);
    const checksum = checksumOf(bytes);
    if (known?.checksum === checksum) return { file: known };
    const decoded = decodeUtf8(bytes);
    if (decoded.ok) return readTemplateText(path, decoded.text, checksum);
    const { reason, line, column } = decoded.problem;
    return { problem: problemAt(path, reason, line, column) };
  } catch (error) {
    if (error instanceof FilesError && error.code === 'not_found') return null;
    return { problem: problemAt(path, messageOf(error)) };
  }
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
    const read = await readOne(store, path, earlier);
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
    return { files: new Map(folders.flatMap((folder) => folder.files)), problems };
  }
  const reason = `there are no templates in ${TEMPLATE_FOLDERS.join(', ')}`;
  const kept =
    known.size > 0 ? `; the ${known.size} known ones stay in force` : '; put one there, or run init';
  return { files: known, problems: [...problems, problemAt('_Templates', reason + kept)] };
}
