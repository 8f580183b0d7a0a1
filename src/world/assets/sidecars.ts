import {
  type EntryChange,
  editSidecar,
  readSidecar,
  type Sidecar,
  sidecarPath,
} from '../../content/assets/index.ts';
import { DocumentError } from '../../content/frontmatter/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { invalid } from '../../kit/errors.ts';
import { FilesError } from '../../platform/files/files.ts';
import {
  DEFINITION_FILE_LIMIT,
  type DefinitionProblem,
  type FileKind,
  type PresentFile,
  presentFile,
  saveFile,
  type TemplateRegistry,
} from '../definitions/index.ts';
import { type Project, unreadableFile } from '../records/index.ts';
import type { FileProblem } from './asset-rows.store.ts';
import type { AssetDb } from './assets.tables.ts';
import { noteFile } from './note-file.ts';

export type LoadedSidecar =
  | { state: 'read'; sidecar: Sidecar; problems: FileProblem[] }
  | { state: 'unreadable'; problems: FileProblem[] };

const ATTEMPTS = 3;

type ReadSidecar = Extract<LoadedSidecar, { state: 'read' }>;

const sidecarKind: FileKind<ReadSidecar> = {
  name: 'sidecar',
  limit: DEFINITION_FILE_LIMIT,
  parse(_path, text) {
    const sidecar = readSidecar(text);
    if (!sidecar.ok) return sidecar;
    const problems = sidecar.problems.map(({ key, line, reason }) => ({ line, reason: `${key}: ${reason}` }));
    return { file: { state: 'read', sidecar, problems } };
  },
};

const NOTHING: LoadedSidecar = {
  state: 'read',
  sidecar: { entries: new Map(), problems: [], invalidIds: new Map() },
  problems: [],
};

/** The files beside assets that hold their descriptions. */
export function createSidecars({ templates, clock }: { templates: TemplateRegistry; clock: Clock }) {
  async function readHome(project: Project, home: string): Promise<PresentFile<ReadSidecar> | null> {
    const path = sidecarPath(home);
    const bytes = await project.files.read(path).catch((error: unknown) => {
      if (error instanceof FilesError && ['not_found', 'not_a_folder'].includes(error.code)) return null;
      throw error;
    });
    return bytes && presentFile(sidecarKind, path, bytes);
  }

  async function load(project: Project, home: string): Promise<LoadedSidecar> {
    const present = await readHome(project, home);
    if (present === null) return NOTHING;
    if ('file' in present.read) return present.read.file;
    const { line, reason } = present.read.problem;
    return { state: 'unreadable', problems: [{ line: line ?? 1, reason }] };
  }

  /** Writes the file, then its row; throws `changed` or `exists` after a concurrent write. */
  async function changeOnce(
    project: Project,
    home: string,
    changes: ReadonlyMap<string, EntryChange>,
  ): Promise<void> {
    const place = { path: sidecarPath(home), present: await readHome(project, home) };
    const written = await saveFile(project.files, sidecarKind, place, {
      refuse: (_present, problem) => unreadable(problem),
      next: (present) => (present ? edited(present.text, changes) : edited('', changes) || null),
    });
    if (written === undefined) return;
    const { stat, text } = written;
    const set = await templates.of(project);
    const at = isoTime(clock.now());
    await project.database.write((db: AssetDb) =>
      noteFile(db, project, set, { stat, sha256: sha256Hex(text), mediaType: null }, at),
    );
  }

  return {
    load,
    /** Throws 409 if a home's assets cannot be described, since its file cannot be read. */
    async requireEditable(project: Project, home: string): Promise<void> {
      const present = await readHome(project, home);
      if (present && 'problem' in present.read) throw unreadable(present.read.problem);
    },
    /** Changes descriptions of assets of one home by their keys, and retries over concurrent changes. */
    async change(project: Project, home: string, changes: ReadonlyMap<string, EntryChange>): Promise<void> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await changeOnce(project, home, changes);
        } catch (error) {
          const isOvertaken = error instanceof FilesError && ['changed', 'exists'].includes(error.code);
          if (!isOvertaken || attempt === ATTEMPTS) throw error;
        }
      }
    },
  };
}

export type Sidecars = ReturnType<typeof createSidecars>;

const unreadable = ({ path, reason, line }: DefinitionProblem) =>
  unreadableFile(`${path} cannot be read (line ${line}: ${reason}). Fix the file first`, [
    { path, reason, line: line ?? 1 },
  ]);

function edited(text: string, changes: ReadonlyMap<string, EntryChange>): string {
  try {
    return editSidecar(text, changes);
  } catch (error) {
    if (error instanceof DocumentError) throw invalid(`This cannot be written down: ${error.problem.reason}`);
    throw error;
  }
}
