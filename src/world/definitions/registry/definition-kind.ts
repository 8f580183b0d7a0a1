import { messageOf } from '../../../kit/errors.ts';
import { type FileStore, FilesError } from '../../../platform/files/files.ts';
import {
  type DefinitionProblem,
  type FileKind,
  type Parsed,
  problemAt,
  readPresent,
} from '../files/text-file.ts';

/** A kind of definition that the registry reads from a project's files. */
export interface DefinitionKind<File> extends FileKind<File> {
  folders: readonly string[];
  /** True if a file in the kind's folders is such a definition. */
  isOne(path: string): boolean;
  /** True if only its name keeps a file from being one. */
  isMisnamed(name: string): boolean;
  /** The naming rule, as in "the name of a template ends in _TEMPLATE.md". */
  naming: string;
  /** Names the definition that stays in force while a file is broken. */
  kept: string;
  /** The name of a file that makes a definition of the folder it is in. */
  mainFile?: string;
  /** Files that are read; no limit by default. */
  most?: number;
}

export interface DefinitionFiles<File> {
  /** By path; a broken file is represented by its last good state. */
  files: ReadonlyMap<string, File>;
  problems: readonly DefinitionProblem[];
}

export interface ReadDefinitions<File> extends DefinitionFiles<File> {
  /** True if no folder has any such file, not even an unreadable one. */
  isEmpty: boolean;
}

type Checked = { checksum: string };

/** Reads all files of a kind. An unreadable one is reported and represented by its state in `known`. */
export async function readDefinitions<File extends Checked>(
  store: FileStore,
  kind: DefinitionKind<File>,
  known: ReadonlyMap<string, File>,
): Promise<ReadDefinitions<File>> {
  const files = new Map<string, File>();
  const problems: DefinitionProblem[] = [];
  let listed = 0;
  for (const folder of kind.folders) {
    const listing = await listFolder(store, folder, kind);
    problems.push(...listing.problems);
    if (listing.paths === null)
      for (const [path, file] of known) if (path.startsWith(`${folder}/`)) files.set(path, file);
    for (const path of listing.paths?.sort() ?? []) {
      listed += 1;
      if (listed > (kind.most ?? listed)) {
        problems.push(
          problemAt(folder, `there are more than ${kind.most} files: ${path} and later ones are not read`),
        );
        break;
      }
      const earlier = known.get(path);
      const read = await readDefinition(store, path, kind, earlier);
      const file = read && ('file' in read ? read.file : earlier);
      if (file) files.set(path, file);
      if (read && 'problem' in read) {
        const { reason } = read.problem;
        problems.push({ ...read.problem, reason: earlier ? `${reason}; ${kind.kept}` : reason });
      }
    }
  }
  return { files, problems, isEmpty: files.size + listed === 0 };
}

/** The paths in a folder; null if it could not be listed. */
async function listFolder<File>(
  store: FileStore,
  folder: string,
  { isOne, isMisnamed, naming, mainFile }: DefinitionKind<File>,
): Promise<{ paths: string[] | null; problems: DefinitionProblem[] }> {
  try {
    const names = (await store.list(folder)).flatMap(({ name, kind }) => {
      if (kind === 'folder' && mainFile !== undefined) return [`${name}/${mainFile}`];
      return kind === 'file' ? [name] : [];
    });
    const others = names.filter((name) => !isOne(`${folder}/${name}`) && isMisnamed(name));
    return {
      paths: names.map((name) => `${folder}/${name}`).filter(isOne),
      problems: others.map((name) => ({
        ...problemAt(`${folder}/${name}`, `${name} is not read: ${naming}`),
        severity: 'warning',
      })),
    };
  } catch (error) {
    if (error instanceof FilesError && error.code === 'not_found') return { paths: [], problems: [] };
    return { paths: null, problems: [problemAt(folder, messageOf(error))] };
  }
}

/** Reads one file, without parsing unchanged bytes again. Null if it is gone. */
async function readDefinition<File extends Checked>(
  store: FileStore,
  path: string,
  kind: DefinitionKind<File>,
  known: File | undefined,
): Promise<Parsed<File, DefinitionProblem> | null> {
  const parse: typeof kind.parse = (at, text, checksum) =>
    known?.checksum === checksum ? { file: known } : kind.parse(at, text, checksum);
  try {
    return (await readPresent(store, path, { ...kind, parse }))?.read ?? null;
  } catch (error) {
    return { problem: problemAt(path, messageOf(error)) };
  }
}
