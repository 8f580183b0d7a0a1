import { type AcceptedFinding, CANON_SETTINGS_PATH } from '../../content/canon/index.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import { FilesError, type FilesErrorCode } from '../../platform/files/files.ts';
import { isMap } from '../../text/json.ts';
import type { Project } from '../records/index.ts';
import { editSettings, settingsText } from './canon-settings.service.ts';

const ATTEMPTS = 5;
const WRITTEN_MEANWHILE: readonly FilesErrorCode[] = ['changed', 'exists', 'not_found'];

/** Adds a finding to the accepted ones, or gives it another reason. */
export const acceptFinding = (project: Project, accepted: AcceptedFinding): Promise<void> =>
  changeEntries(project, (entries) => {
    const { finding_id, reason } = accepted;
    if (!entries.some(isOf(finding_id))) return [...entries, accepted];
    return entries.map((entry) => {
      if (!isOf(finding_id)(entry)) return entry;
      return isMap(entry) ? { ...entry, reason } : accepted;
    });
  });

/** 404 for a finding that is not accepted. */
export const reopenFinding = (project: Project, findingId: string): Promise<void> =>
  changeEntries(project, (entries) => {
    const others = entries.filter((entry) => !isOf(findingId)(entry));
    if (others.length < entries.length) return others;
    throw notFound(`The finding ${findingId} is not accepted`, { code: 'not_accepted' });
  });

/** An entry may be the id alone. */
const isOf = (findingId: string) => (entry: unknown) =>
  (isMap(entry) ? entry.finding_id : entry) === findingId;

/** Touches only the lines of the entries that change, and does it again over what an editor writes meanwhile. */
async function changeEntries(
  project: Project,
  change: (entries: readonly unknown[]) => readonly unknown[],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await editSettings(project, {
        next: (file) => settingsText(file, { accepted: change(entriesIn(file?.text ?? '')) }),
      });
      return;
    } catch (error) {
      const isOvertaken = error instanceof FilesError && WRITTEN_MEANWHILE.includes(error.code);
      if (!isOvertaken || attempt === ATTEMPTS) throw error;
    }
  }
}

function entriesIn(text: string): readonly unknown[] {
  const document = readDocument(text);
  const entries = (document.ok ? document.data.accepted : null) ?? [];
  if (Array.isArray(entries)) return entries;
  throw conflict(`\`accepted\` in ${CANON_SETTINGS_PATH} is not a list of findings: make it one first`, {
    code: 'invalid_canon_settings',
  });
}
