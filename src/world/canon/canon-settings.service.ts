import {
  CANON_SETTINGS_PATH,
  type CanonSettings,
  DEFAULT_CANON_SETTINGS,
  readCanonSettings,
} from '../../content/canon/index.ts';
import {
  createDocument,
  DocumentError,
  editDocument,
  readDocument,
} from '../../content/frontmatter/index.ts';
import { invalid } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import type { FileStore } from '../../platform/files/files.ts';
import {
  DEFINITION_FILE_LIMIT,
  type DefinitionProblem,
  definitionsLock,
  type FileKind,
  type Parsed,
  type PresentFile,
  readPresent,
  requireTag,
  saveFile,
  tagOf,
} from '../definitions/index.ts';
import { type Project, unreadableFile } from '../records/index.ts';
import type { CanonProblem } from './canon.run.ts';

export interface SettingsFile {
  settings: CanonSettings;
  problems: CanonProblem[];
  etag: string | null;
}

/** New values; omitted ones stay, and a calendar of null is the real one. */
export interface SettingsUpdate {
  calendar?: Record<string, unknown> | null | undefined;
  checks?: Record<string, { enabled: boolean; reason?: string | undefined }> | undefined;
  accepted?: { finding_id: string; reason: string }[] | undefined;
}

const BODY = `# What the canon check knows of this world

\`calendar\` says how its days are counted; without it the calendar is the real one. \`checks\` switches a kind of finding
off, \`accepted\` lists single findings that are meant as they are. Both carry the reason.
`;

type Known = Pick<SettingsFile, 'settings' | 'problems'>;

const settingsKind: FileKind<Known> = { name: 'settings', limit: DEFINITION_FILE_LIMIT, parse };

function parse(path: string, text: string): Parsed<Known> {
  const document = readDocument(text);
  if (!document.ok) return document;
  const { settings, problems } = readCanonSettings(document.data, document.lineOf);
  const placed = problems.map(({ field, message, line }) => ({
    file: path,
    message: `${field}: ${message}`,
    line,
  }));
  return { file: { settings, problems: placed } };
}

const readFile = (files: FileStore) => readPresent(files, CANON_SETTINGS_PATH, settingsKind);

export async function readSettingsFile(files: FileStore): Promise<SettingsFile> {
  const present = await readFile(files);
  if (present === null) return { settings: DEFAULT_CANON_SETTINGS, problems: [], etag: null };
  if ('file' in present.read) return { ...present.read.file, etag: tagOf(present.checksum) };
  const { path, reason, line } = present.read.problem;
  const problems = [{ file: path, message: reason, line }];
  return { settings: DEFAULT_CANON_SETTINGS, problems, etag: null };
}

/** Changes only the given values in the settings file. */
export async function updateSettings(
  project: Project,
  update: SettingsUpdate,
  ifMatch: HeaderValue,
): Promise<SettingsFile> {
  requireGood(update);
  const { calendar, ...values } = update;
  return editSettings(project, {
    ifMatch,
    next: (file) =>
      settingsText(file, { ...values, ...(calendar && { calendar }) }, calendar === null ? ['calendar'] : []),
  });
}

/** Writes the settings file's next text over the one that was read; the write fails if an editor was faster. */
export const editSettings = (
  project: Project,
  { ifMatch, next }: { ifMatch?: HeaderValue; next(file: PresentFile<Known> | null): string | null },
): Promise<SettingsFile> =>
  project.database.exclusive(definitionsLock(project), async () => {
    const present = await readFile(project.files);
    const seen = present && 'file' in present.read ? present.checksum : null;
    requireTag(ifMatch, seen, 'canon settings', ['were', 'them']);
    const place = { path: CANON_SETTINGS_PATH, present };
    await saveFile(project.files, settingsKind, place, {
      refuse: (_present, problem) => unreadable(problem),
      next,
    });
    return readSettingsFile(project.files);
  });

function requireGood({ calendar, checks = {}, accepted = [] }: SettingsUpdate): void {
  const { problems } = readCanonSettings({ calendar, checks, accepted });
  const unexplained = Object.entries(checks)
    .filter(([, { enabled, reason = '' }]) => !enabled && reason.trim() === '')
    .map(([kind]) => ({ field: `checks.${kind}.reason`, message: 'say why this check is switched off' }));
  const errors = [...problems.map(({ field, message }) => ({ field, message })), ...unexplained];
  if (errors.length === 0) return;
  const [first] = errors;
  throw invalid(`${first?.field}: ${first?.message}`, { code: 'invalid_canon_settings', errors });
}

function unreadable({ path, reason, line }: DefinitionProblem) {
  const place = line === null ? '' : ` (line ${line})`;
  return unreadableFile(`${path} cannot be read: ${reason}${place}. Fix the file first`);
}

/** The file's next text; null if there is no file and nothing to store. */
export function settingsText(
  file: PresentFile<Known> | null,
  values: Readonly<Record<string, unknown>>,
  unset: readonly string[] = [],
): string | null {
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  try {
    if (file === null) return Object.keys(set).length === 0 ? null : createDocument(set, BODY);
    const declared = readDocument(file.text);
    const present = unset.filter((key) => declared.ok && Object.hasOwn(declared.data, key));
    return editDocument(file.text, { set, unset: present });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw invalid(`The settings cannot be written: ${error.message}`, { code: 'invalid_canon_settings' });
  }
}
