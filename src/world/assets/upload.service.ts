import { createReadStream } from 'node:fs';
import {
  type AssetKind,
  HEAD_BYTES,
  homeOf,
  isPublicPath,
  kindOf,
  mediaTypeOf,
  numberedName,
  SUBFOLDERS,
  safeFileName,
} from '../../content/assets/index.ts';
import { classifyPath, mimeTypeOf } from '../../content/paths/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { streamingSha256 } from '../../kit/crypto.ts';
import { invalidField } from '../../kit/errors.ts';
import { readHead } from '../../kit/file-head.ts';
import type { UploadedFile } from '../../kit/route.ts';
import { type FileStat, FilesError, type WriteOptions } from '../../platform/files/files.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import type { Author, Entities } from '../entities/index.ts';
import type { Project, StorageRoom } from '../records/index.ts';
import type { AssetDescription, Assets } from './assets.service.ts';
import type { AssetDb } from './assets.tables.ts';
import type { RequestMeasures } from './measure-requests.ts';
import { noteFile } from './note-file.ts';
import type { AssetRecycleBin } from './recycle.service.ts';
import type { Sidecars } from './sidecars.ts';

export interface Upload {
  file: UploadedFile;
  entity: { type: string; id: string } | null;
  /** The kind that the file must have; null for any. */
  kind: AssetKind | null;
  subfolder: string | undefined;
  overwrite: boolean;
  isPrimary: boolean;
  entry: AssetDescription;
}

interface Place {
  folder: string;
  entityFolder: string | null;
}

export interface UploadsOptions {
  assets: Assets;
  bin: AssetRecycleBin;
  sidecars: Sidecars;
  entities: Entities;
  templates: TemplateRegistry;
  requestMeasures: RequestMeasures;
  room: StorageRoom;
  clock: Clock;
}

const UNKNOWN = 'application/octet-stream';

/** Files that come by requests (spec 1 §4.5): the file is written first, its row after. */
export function createUploads(options: UploadsOptions) {
  const { assets, bin, sidecars, entities, templates, requestMeasures, room, clock } = options;

  async function placeOf(project: Project, { entity, subfolder }: Upload, kind: AssetKind): Promise<Place> {
    if (entity === null) {
      if (subfolder !== undefined) throw invalidField('subfolder', 'needs an entity');
      return { folder: 'Assets', entityFolder: null };
    }
    const template = await entities.templateOf(project, entity.type);
    const { path } = await entities.findRow(project, entity.type, entity.id);
    const entityFolder = path.slice(0, path.lastIndexOf('/'));
    const known = [...new Set([...template.asset_subfolders, ...Object.values(SUBFOLDERS)])];
    if (subfolder !== undefined && !known.includes(subfolder))
      throw invalidField('subfolder', `must be one of ${known.join(', ')}`);
    return { folder: `${entityFolder}/${subfolder ?? SUBFOLDERS[kind]}`, entityFolder };
  }

  async function requireAsset(project: Project, path: string): Promise<void> {
    const place = classifyPath(path, (await templates.of(project)).byFolder);
    if (place.entry_type !== 'asset' || !isPublicPath(path))
      throw invalidField(
        'file',
        `would not be an asset at ${path}: markdown and loose text files are not assets`,
      );
    await sidecars.requireEditable(project, homeOf({ ...place, path }));
  }

  /** Writes the file under the first free name, or over the one of its name after a copy to the recycle bin. */
  async function store(project: Project, upload: Upload, wanted: string, { actor }: Author) {
    const isReplaced = upload.overwrite && (await project.files.stat(wanted)) !== undefined;
    if (isReplaced) return { ...(await writeOver(project, upload, wanted, actor)), isReplaced };
    const folder = wanted.slice(0, wanted.lastIndexOf('/'));
    const name = wanted.slice(folder.length + 1);
    for (let number = 1; ; number += 1) {
      const path = `${folder}/${numberedName(name, number)}`;
      const stored = await writeIfFree(project, upload.file.path, path);
      if (stored) return { ...stored, isReplaced };
    }
  }

  /** Stores the file and its row if the plan has room. */
  async function storeWithin(
    project: Project,
    upload: Upload,
    { wanted, mediaType, at }: { wanted: string; mediaType: string; at: string },
    author: Author,
  ) {
    const held = await room.hold(project, author.plan, upload.file.size);
    try {
      const stored = await store(project, upload, wanted, author);
      const set = await templates.of(project);
      await project.database.write(async (db: AssetDb) => {
        await noteFile(db, project, set, { ...stored, mediaType }, at);
        await held.settle(db);
      });
      return stored;
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  /** Readers meanwhile see the old file or the new one. 409 after a concurrent change. */
  async function writeOver(
    project: Project,
    upload: Upload,
    path: string,
    actor: string,
  ): Promise<StoredFile> {
    const kept = await bin.keep(project, path, actor);
    try {
      return await writeFile(project, upload.file.path, path, { onlyOver: kept.stat });
    } catch (error) {
      await bin.discardCopy(project, kept).catch(() => {});
      throw error;
    }
  }

  return {
    /** Refuses what can be refused before the bytes arrive. */
    async check(project: Project, upload: Upload): Promise<void> {
      const mediaType = mimeTypeOf(upload.file.filename) ?? UNKNOWN;
      const { folder, entityFolder } = await placeOf(project, upload, kindOf(mediaType));
      if (upload.isPrimary && entityFolder === null) throw invalidField('is_primary', 'needs an entity');
      await requireAsset(project, `${folder}/${safeFileName(upload.file.filename, mediaType)}`);
    },

    /** Throws 402 if the plan has no room for the bytes. */
    requireRoom: room.require,

    async upload(project: Project, upload: Upload, author: Author) {
      if (upload.file.size === 0) throw invalidField('file', 'has no bytes');
      const mediaType = mediaTypeOf(await readHead(upload.file.path, HEAD_BYTES), upload.file.filename);
      const kind = kindOf(mediaType);
      if (upload.kind !== null && kind !== upload.kind)
        throw invalidField('file', `must be of the kind ${upload.kind}, and is ${mediaType}`);
      const { folder, entityFolder } = await placeOf(project, upload, kind);
      if (upload.isPrimary && entityFolder === null) throw invalidField('is_primary', 'needs an entity');
      const wanted = `${folder}/${safeFileName(upload.file.filename, mediaType)}`;
      await requireAsset(project, wanted);
      const at = isoTime(clock.now());
      const { stat, isReplaced } = await storeWithin(project, upload, { wanted, mediaType, at }, author);
      const entry = { ...upload.entry, ...(!isReplaced && { created_at: at, created_by: author.actor }) };
      const asset = await assets.describeWritten(project, stat.path, entry, author.actor);
      await requestMeasures(project);
      if (upload.isPrimary && upload.entity !== null && entityFolder !== null) {
        const primary_asset = stat.path.slice(entityFolder.length + 1);
        await entities.update(project, upload.entity.type, upload.entity.id, { primary_asset }, author);
      }
      return asset;
    },
  };
}

export type Uploads = ReturnType<typeof createUploads>;

interface StoredFile {
  stat: FileStat;
  sha256: string;
}

/** Undefined if the path is already in use. */
async function writeIfFree(project: Project, from: string, path: string): Promise<StoredFile | undefined> {
  if ((await project.files.stat(path)) !== undefined) return undefined;
  try {
    return await writeFile(project, from, path, { ifAbsent: true });
  } catch (error) {
    if (error instanceof FilesError && error.code === 'exists') return undefined;
    throw error;
  }
}

async function writeFile(
  project: Project,
  from: string,
  path: string,
  options: WriteOptions,
): Promise<StoredFile> {
  const hash = streamingSha256();
  async function* hashed() {
    for await (const bytes of createReadStream(from) as AsyncIterable<Uint8Array>) {
      hash.update(bytes);
      yield bytes;
    }
  }
  const stat = await project.files.write(path, hashed(), options);
  return { stat, sha256: hash.digest('hex') };
}
