import { setImmediate as turn } from 'node:timers/promises';
import { hasPreview, mimeTypeOf } from '../../content/paths/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import { type Project, scopeColumns } from '../records/scope.ts';
import { TOMBSTONE_DAYS } from './housekeeping.ts';
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
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+ -]\d{2}:?\d{2})?)?$/;

/** One entry as the manifest has it (spec 1 §2.6). */
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

/** The time that a caller named, as ISO in UTC. 422 for what is none. */
function instantOf(since: string): string {
  // A plus sign that was not escaped arrives as a space.
  const text = since.trim().replace(/ (\d{2}:?\d{2})$/, '+$1');
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return isoTime(time);
  throw invalid(`since '${since}' is not an ISO 8601 time, such as 2026-03-02T10:15:00Z`, {
    code: 'invalid_since',
    errors: [{ field: 'since', message: 'must be an ISO 8601 time' }],
  });
}

/** All files of a project with their checksums, and what changed among them (spec 1 §2.6, §4.3). */
export function createManifests({ clock }: { clock: Clock }) {
  /** The manifest's JSON text, written page by page so that other requests get their turn. */
  async function text(project: Project): Promise<string> {
    const generatedAt = isoTime(clock.now());
    const { manifest_version } = await manifestState(project);
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
      provider_type: 'local',
      manifest_version,
      generated_at: generatedAt,
      total_entries: parts.length,
      total_size_bytes: bytes,
    };
    return `${JSON.stringify(head).slice(0, -1)},"entries":[${parts.join(',')}]}`;
  }

  async function changesSince(project: Project, since: string): Promise<ManifestDiff> {
    const diff: ManifestDiff = { added: [], removed: [], modified: [] };
    for (let after = ''; ; ) {
      const rows = await filesChangedSince(project, since, after, PAGE);
      for (const { path, added_at, deleted_at } of rows) {
        const isNew = added_at >= since;
        if (deleted_at === null) (isNew ? diff.added : diff.modified).push(path);
        else if (!isNew) diff.removed.push(path);
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
    /** What changed since a time, or null where the journal does not reach back so far. */
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
