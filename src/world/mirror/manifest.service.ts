import { setImmediate as turn } from 'node:timers/promises';
import { hasPreview, mimeTypeOf } from '../../content/paths/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { notFound } from '../../kit/errors.ts';
import {
  CLOCK_SLACK_MS,
  issuedPosition,
  issueTime,
  lastSequence,
  type Project,
  type RecordsDb,
  scopeColumns,
} from '../records/index.ts';
import { TOMBSTONE_DAYS } from './housekeeping.ts';
import { instantOf } from './instant.ts';
import {
  filesChangedSince,
  findManifestRow,
  type ManifestRow,
  manifestPage,
  manifestState,
} from './manifest.store.ts';

export interface ManifestDiff {
  added: string[];
  removed: string[];
  modified: string[];
}

const PAGE = 2_000;
const DAY_MS = 86_400_000;

/** spec 1 §2.6 */
function entryOf(row: ManifestRow) {
  const mimeType = mimeTypeOf(row.path);
  return {
    relative_path: row.path,
    entity_type: row.entity_type,
    entity_id: row.entity_id,
    entry_type: row.entry_type,
    size_bytes: row.size,
    checksum_sha256: row.sha256,
    mime_type: mimeType,
    remote_modified: isoTime(row.mtime_ms),
    preview_available: hasPreview(mimeType),
  };
}

/** All files of a project with their checksums, and changes to them (spec 1 §2.6, §4.3). */
export function createManifests({ clock }: { clock: Clock }) {
  /** Returns the manifest's JSON text, built page by page so that other requests get a turn. */
  async function text(project: Project): Promise<string> {
    // The time is taken before the first file is read, so that the next diff repeats concurrent changes.
    const generatedAt = await presentTime(project);
    const { manifest_version } = await manifestState(project);
    const place = await project.files.describe();
    let bytes = 0;
    const parts: string[] = [];
    for (let after = ''; ; ) {
      const values = { ...scopeColumns(project), after, limit: PAGE };
      const rows = await project.database.read((db: RecordsDb) => manifestPage(db, values));
      for (const row of rows) {
        parts.push(JSON.stringify(entryOf(row)));
        bytes += row.size;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = last.path;
      await turn();
    }
    const head = {
      project_id: project.projectId,
      provider_type: place.kind === 'blob' ? place.place.provider : 'local',
      manifest_version,
      generated_at: generatedAt,
      total_entries: parts.length,
      total_size_bytes: bytes,
    };
    return `${JSON.stringify(head).slice(0, -1)},"entries":[${parts.join(',')}]}`;
  }

  /** Returns a time that stands for everything committed so far. */
  async function presentTime(project: Project): Promise<string> {
    const seq = await project.database.read((db: RecordsDb) => lastSequence(db, project));
    return issueTime(project, { seq, listing: false }, clock.now());
  }

  /** Changes since a time. For a time that this service issued, exactly those after it; for any other, with tolerance for clocks. */
  async function changesSince(project: Project, since: string): Promise<ManifestDiff> {
    const diff: ManifestDiff = { added: [], removed: [], modified: [] };
    const seq = (await issuedPosition(project, since))?.seq ?? 0;
    const early = isoTime(Date.parse(since) - CLOCK_SLACK_MS);
    for (let after = ''; ; ) {
      const rows = await filesChangedSince(project, { since: early, seq, after, limit: PAGE });
      for (const { path, added_at, deleted_at } of rows) {
        if (deleted_at !== null) diff.removed.push(path);
        else (added_at >= since ? diff.added : diff.modified).push(path);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return diff;
      after = last.path;
      await turn();
    }
  }

  return {
    text,
    changesSince,
    presentTime,
    /** Null if the journal does not reach back that far. */
    async diff(project: Project, since: string): Promise<ManifestDiff | null> {
      const instant = instantOf(since);
      const { created_at } = await manifestState(project);
      const oldest = isoTime(clock.now() - TOMBSTONE_DAYS * DAY_MS);
      return instant < oldest || instant < created_at ? null : changesSince(project, instant);
    },
    async entry(project: Project, path: string) {
      const row = await findManifestRow(project, path);
      if (row) return entryOf(row);
      throw notFound(`The manifest has no entry '${path}'`, { code: 'no_such_entry' });
    },
  };
}

export type Manifests = ReturnType<typeof createManifests>;
