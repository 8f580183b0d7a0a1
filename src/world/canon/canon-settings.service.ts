import {
  CANON_SETTINGS_PATH,
  type CanonSettings,
  DEFAULT_CANON_SETTINGS,
  readCanonSettings,
} from '../../content/canon/index.ts';
import {
  createDocument,
  DOCUMENT_LIMITS,
  DocumentError,
  decodeUtf8,
  editDocument,
  readDocument,
} from '../../content/frontmatter/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, invalid, stale, tooLarge } from '../../kit/errors.ts';
import { type HeaderValue, headerNames } from '../../kit/http/etag.ts';
import type { FileStore } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import type { Project } from '../records/index.ts';
import type { CanonProblem } from './canon.run.ts';

/** The settings as the file has them; without a file the defaults. */
export interface SettingsFile {
  settings: CanonSettings;
  problems: CanonProblem[];
  text: string | null;
  /** Null where there is no file, or none that can be read. */
  bytes: Uint8Array | null;
  etag: string | null;
  /** The file is there and cannot be read. */
  isBroken: boolean;
}

/** New values; what is left out stays, a calendar of null is the real one. */
export interface SettingsUpdate {
  calendar?: Record<string, unknown> | null | undefined;
  checks?: Record<string, { enabled: boolean; reason?: string | undefined }> | undefined;
  accepted?: { finding_id: string; reason: string }[] | undefined;
}

const BODY = `# What the canon check knows of this world

\`calendar\` says how its days are counted; without it the calendar is the real one. \`checks\` switches a kind of finding
off, \`accepted\` lists single findings that are meant as they are. Both carry the reason.
`;

const broken = (message: string, line: number | null, text: string | null): SettingsFile => ({
  settings: DEFAULT_CANON_SETTINGS,
  problems: [{ file: CANON_SETTINGS_PATH, message, line }],
  text,
  bytes: null,
  etag: null,
  isBroken: true,
});

/** Reads a project's settings of its canon check. */
export async function readSettingsFile(files: FileStore): Promise<SettingsFile> {
  const bytes = await readBytes(files);
  if (bytes === null)
    return {
      settings: DEFAULT_CANON_SETTINGS,
      problems: [],
      text: null,
      bytes,
      etag: null,
      isBroken: false,
    };
  if (bytes === 'too_large')
    return broken(`the file is larger than ${DOCUMENT_LIMITS.bytes} bytes`, null, null);
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return broken(decoded.problem.reason, decoded.problem.line, null);
  const { text } = decoded;
  const document = readDocument(text);
  if (!document.ok) return broken(document.problem.reason, document.problem.line, text);
  const { settings, problems } = readCanonSettings(document.data, document.lineOf);
  return {
    settings,
    problems: problems.map(({ field, message, line }) => ({
      file: CANON_SETTINGS_PATH,
      message: `${field}: ${message}`,
      line,
    })),
    text,
    bytes,
    etag: `"${checksumOf(bytes)}"`,
    isBroken: false,
  };
}

async function readBytes(files: FileStore): Promise<Uint8Array | 'too_large' | null> {
  const stat = await files.stat(CANON_SETTINGS_PATH);
  if (stat === undefined) return null;
  if (stat.size > DOCUMENT_LIMITS.bytes) return 'too_large';
  return (await files.read(CANON_SETTINGS_PATH).catch(ifGone)) ?? null;
}

/** Changes the settings' file, and nothing in it but what is given. */
export const updateSettings = (
  project: Project,
  update: SettingsUpdate,
  ifMatch: HeaderValue,
): Promise<SettingsFile> =>
  project.database.exclusive(`canon-settings ${project.projectId}`, async () => {
    requireGood(update);
    const present = await readSettingsFile(project.files);
    requireMatch(ifMatch, present.etag);
    if (present.isBroken) throw unreadable(present);
    const text = textWith(present, update);
    if (text !== null && text !== present.text) {
      if (Buffer.byteLength(text) > DOCUMENT_LIMITS.bytes)
        throw tooLarge(`The settings would be larger than ${DOCUMENT_LIMITS.bytes} bytes`);
      const condition = present.bytes === null ? { ifAbsent: true } : { onlyOver: present.bytes };
      await project.files.write(CANON_SETTINGS_PATH, text, condition);
    }
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

function requireMatch(ifMatch: HeaderValue, etag: string | null): void {
  if (ifMatch === undefined || (etag !== null && headerNames(ifMatch, etag))) return;
  throw stale('The canon settings were changed since you read them: read them again and repeat your change', {
    code: 'stale',
    ...(etag !== null && { headers: { etag } }),
  });
}

function unreadable({ problems: [problem] }: SettingsFile) {
  const place = problem?.line == null ? '' : ` (line ${problem.line})`;
  return conflict(`${CANON_SETTINGS_PATH} cannot be read: ${problem?.message}${place}. Mend the file first`, {
    code: 'unreadable_file',
  });
}

/** The file's next text; null where there is neither a file nor anything to keep in one. */
function textWith({ text, settings }: SettingsFile, update: SettingsUpdate): string | null {
  const { calendar, checks, accepted } = update;
  const set = { ...(calendar && { calendar }), ...(checks && { checks }), ...(accepted && { accepted }) };
  try {
    if (text === null) return Object.keys(set).length === 0 ? null : createDocument(set, BODY);
    const unset = calendar === null && settings.declared !== null ? ['calendar'] : [];
    return editDocument(text, { set, unset });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw invalid(`The settings cannot be written: ${error.message}`, { code: 'invalid_canon_settings' });
  }
}
