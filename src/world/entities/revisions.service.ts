import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { createPauses } from '../../kit/pauses.ts';
import { ReadyJson } from '../../kit/route.ts';
import {
  compareTexts,
  countRevisions,
  type EntityRow,
  listRevisions,
  type Project,
  type RecordsDb,
  revisionsBefore,
} from '../records/index.ts';
import type { Author } from './author.ts';
import type { Entities } from './entities.service.ts';
import { createSittings, type Sitting } from './sittings.ts';
import { contentOf, infoOf, loadVersion, type Version, type VersionInfo } from './versions.ts';

const pluginsIn = (via: string | null): string[] => (via === null ? [] : via.split(','));

const summaryOf = (revision: VersionInfo, current: boolean) => ({
  version: revision.version,
  name: revision.name,
  status: revision.status,
  checksum: revision.checksum,
  file_checksum: revision.file_checksum,
  source: revision.source,
  changed: JSON.parse(revision.changed) as string[],
  created_at: revision.created_at,
  created_by: revision.created_by,
  operation_id: revision.operation_id,
  via: pluginsIn(revision.via),
  current,
});

const sittingOf = ({ newest, oldest, count, offset, changed, via }: Sitting) => ({
  first_version: oldest.version,
  last_version: newest.version,
  count,
  offset,
  started_at: oldest.created_at,
  ended_at: newest.created_at,
  changed: [...new Set([...changed].flatMap((names) => JSON.parse(names) as string[]))],
  via: [...new Set([...via].flatMap(pluginsIn))],
});

/** They are read at one go, and other requests wait for it. */
const VERSIONS_AT_ONCE = 1_000;

export type Revisions = ReturnType<typeof createRevisions>;

export interface RevisionsOptions {
  entities: Entities;
  /** Resolves to the display name of a user; null if there is no such user. */
  nameOf(userId: string): Promise<string | null>;
}

export function createRevisions({ entities, nameOf }: RevisionsOptions) {
  async function list(project: Project, entityType: string, entityId: string, limit: number, offset: number) {
    const row = await entities.findRow(project, entityType, entityId);
    return project.database.read(async (db: RecordsDb) => {
      const head = offset === 0 ? [summaryOf(infoOf(row), true)] : [];
      const kept = await listRevisions(
        db,
        project.tenantId,
        row.row_id,
        limit - head.length,
        Math.max(0, offset - 1),
      );
      return {
        total: 1 + (await countRevisions(db, project.tenantId, row.row_id)),
        revisions: [...head, ...kept.map((revision) => summaryOf(revision, false))],
      };
    });
  }

  /** Every version is looked at, since only the one before a sitting's first shows where it begins. */
  async function listSittings(
    project: Project,
    entityType: string,
    entityId: string,
    limit: number,
    offset: number,
  ) {
    const row = await entities.findRow(project, entityType, entityId);
    const { sittings, add } = createSittings();
    add(infoOf(row));
    const pause = createPauses();
    let before = row.version;
    for (;;) {
      const kept = await project.database.read((db: RecordsDb) =>
        revisionsBefore(db, project.tenantId, row.row_id, before, VERSIONS_AT_ONCE),
      );
      for (const revision of kept) add(revision);
      const last = kept.at(-1);
      if (last === undefined || kept.length < VERSIONS_AT_ONCE) break;
      before = last.version;
      await pause();
    }
    const shown = sittings.slice(offset, offset + limit);
    return {
      total: sittings.length,
      revisions: shown.map((sitting) => ({
        ...summaryOf(sitting.newest, sitting.offset === 0),
        sitting: sittingOf(sitting),
      })),
    };
  }

  async function get(project: Project, entityType: string, entityId: string, version: number) {
    const template = await entities.templateOf(project, entityType);
    const row = await entities.findRow(project, entityType, entityId);
    const found = await loadVersion(project, row, version);
    const { fields, markdown_body } = contentOf(template, row, found);
    return { ...summaryOf(found.info, version === row.version), fields, markdown_body, content: found.text };
  }

  async function diff(
    project: Project,
    entityType: string,
    entityId: string,
    from: number,
    against?: number,
  ) {
    const template = await entities.templateOf(project, entityType);
    const row = await entities.findRow(project, entityType, entityId);
    const to = against ?? row.version;
    const [before, after] = await Promise.all([
      loadVersion(project, row, from),
      loadVersion(project, row, to),
    ]);
    const sideOf = (version: Version, number: number) => ({
      text: version.text,
      content: contentOf(template, row, version),
      label: `version ${number}`,
    });
    const difference = await compareTexts({ before: sideOf(before, from), after: sideOf(after, to) });
    const ends = {
      from,
      to,
      from_revision: await endOf(before.info),
      to_revision: await endOf(after.info),
    };
    return new ReadyJson(`${JSON.stringify(ends).slice(0, -1)},${difference.slice(1)}`);
  }

  const endOf = async ({ version, source, created_at, created_by }: VersionInfo) => ({
    version,
    source,
    created_at,
    created_by,
    created_by_name: created_by === null ? null : await nameOf(created_by),
  });

  async function restore(
    project: Project,
    entityType: string,
    entityId: string,
    version: number,
    { actor, ifMatch }: Author & { ifMatch?: HeaderValue },
  ): Promise<EntityRow> {
    const template = await entities.templateOf(project, entityType);
    const name = { entity_type: entityType, entity_id: entityId };
    const options = { actor, ifMatch, overwrite: true };
    const { row } = await entities.alone(project, name, async () => {
      const present = await entities.findRow(project, entityType, entityId);
      // This comes before the file is read: a failure must leave everything as it was.
      const text = await restorableText(project, present, version);
      return entities.changeHeld(project, template, present, options, ({ onDisk }) =>
        onDisk === text ? null : { next: text, changed: ['*'], isRestored: true },
      );
    });
    return row;
  }

  return { list, listSittings, get, diff, restore };
}

/** Throws 404 for a version that is not kept, 409 if it is not kept byte for byte. */
async function restorableText(project: Project, row: EntityRow, version: number): Promise<string> {
  const { text, info } = await loadVersion(project, row, version);
  if (checksumOf(text) === info.file_checksum && decodeUtf8(new TextEncoder().encode(text)).ok) return text;
  throw conflict(`Version ${version} was kept in part only: its bytes were no text`, {
    code: 'not_restorable',
  });
}
