import {
  type EntryChange,
  editSidecar,
  readSidecar,
  type Sidecar,
  sidecarPath,
} from '../../content/assets/index.ts';
import { DocumentError, decodeUtf8 } from '../../content/frontmatter/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import { FilesError } from '../../platform/files/files.ts';
import type { Project } from '../records/index.ts';
import type { TemplateRegistry } from '../templates/index.ts';
import type { FileProblem } from './asset-rows.store.ts';
import type { AssetDb } from './assets.tables.ts';
import { noteFile } from './note-file.ts';

/** What a home's sidecar says; `unreadable` keeps what was known of its assets. */
export type LoadedSidecar =
  | { state: 'read'; sidecar: Sidecar; problems: FileProblem[] }
  | { state: 'unreadable'; problems: FileProblem[] };

const ATTEMPTS = 3;

interface EditableText {
  /** Null: there is no file yet. */
  bytes: Uint8Array | null;
  text: string;
}

const NOTHING: LoadedSidecar = {
  state: 'read',
  sidecar: { entries: new Map(), problems: [], invalidIds: new Map() },
  problems: [],
};

/** The files beside assets that hold what people say about them. */
export function createSidecars({ templates, clock }: { templates: TemplateRegistry; clock: Clock }) {
  async function bytesOf(project: Project, home: string): Promise<Uint8Array | null> {
    return project.files.read(sidecarPath(home)).catch((error: unknown) => {
      if (error instanceof FilesError && ['not_found', 'not_a_folder'].includes(error.code)) return null;
      throw error;
    });
  }

  async function load(project: Project, home: string): Promise<LoadedSidecar> {
    const bytes = await bytesOf(project, home);
    if (bytes === null) return NOTHING;
    const decoded = decodeUtf8(bytes);
    const read = decoded.ok ? readSidecar(decoded.text) : decoded;
    if (!read.ok) {
      const { line, reason } = read.problem;
      return { state: 'unreadable', problems: [{ line, reason }] };
    }
    const problems = read.problems.map(({ key, line, reason }) => ({ line, reason: `${key}: ${reason}` }));
    return { state: 'read', sidecar: read, problems };
  }

  /** The text that may be edited. 409 for one that cannot be read: it is left as it is. */
  async function editableText(project: Project, home: string): Promise<EditableText> {
    const bytes = await bytesOf(project, home);
    if (bytes === null) return { bytes, text: '' };
    const decoded = decodeUtf8(bytes);
    const read = decoded.ok ? readSidecar(decoded.text) : decoded;
    if (decoded.ok && read.ok) return { bytes, text: decoded.text };
    const { line, reason } = read.ok ? { line: 1, reason: '' } : read.problem;
    throw conflict(`${sidecarPath(home)} cannot be read (line ${line}: ${reason}). Mend the file first`, {
      code: 'unreadable_file',
      errors: [{ field: sidecarPath(home), message: reason, line }],
    });
  }

  /** The file first, its row after; `changed` or `exists` when somebody else wrote meanwhile. */
  async function changeOnce(
    project: Project,
    home: string,
    changes: ReadonlyMap<string, EntryChange>,
  ): Promise<void> {
    const { bytes, text } = await editableText(project, home);
    const after = edited(text, changes);
    if (after === text) return;
    const condition = bytes === null ? { ifAbsent: true } : { onlyOver: bytes };
    const stat = await project.files.write(sidecarPath(home), after, condition);
    const set = await templates.of(project);
    const at = isoTime(clock.now());
    const written = { stat, sha256: sha256Hex(after), mediaType: null };
    await project.database.write((db: AssetDb) => noteFile(db, project, set, written, at));
  }

  return {
    load,
    /** 409 where nothing can be said about a home's assets, since its file cannot be read. */
    async requireEditable(project: Project, home: string): Promise<void> {
      await editableText(project, home);
    },
    /** Changes what is said about assets of one home, by their keys, over whatever others say of them meanwhile. */
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

function edited(text: string, changes: ReadonlyMap<string, EntryChange>): string {
  try {
    return editSidecar(text, changes);
  } catch (error) {
    if (error instanceof DocumentError) throw invalid(`This cannot be written down: ${error.problem.reason}`);
    throw error;
  }
}
