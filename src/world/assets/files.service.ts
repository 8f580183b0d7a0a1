import { isPassive, isPublicPath } from '../../content/assets/index.ts';
import { classifyPath, mimeTypeOf } from '../../content/paths/index.ts';
import { notFound } from '../../kit/errors.ts';
import { dispositionOf } from '../../kit/http/disposition.ts';
import type { ServedFile } from '../../kit/http/file-reply.ts';
import { FilesError, type OpenFile } from '../../platform/files/files.ts';
import { statTag } from '../../platform/files/stat-tag.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import { findFiles, isAsKnown, type Project } from '../records/index.ts';
import type { AssetDb } from './assets.tables.ts';

const UNKNOWN = 'application/octet-stream';
/** Whatever a browser takes a file for, nothing in it runs or reaches the app's origin. */
const SANDBOX =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox";
/** Digits of a version in a URL that make it unique. */
const ENOUGH_DIGITS = 16;

/** Serves assets by path (spec 1 §4.5; decisions "Routes that the specification leaves open to anyone"). */
export function createAssetFiles({ templates }: { templates: TemplateRegistry }) {
  const nothing = (path: string) =>
    notFound(`There is no file '${path}' to be served`, { code: 'no_such_file' });

  async function isAsset(project: Project, path: string): Promise<boolean> {
    if (!isPublicPath(path)) return false;
    return classifyPath(path, (await templates.of(project)).byFolder).entry_type === 'asset';
  }

  async function opened(project: Project, path: string): Promise<OpenFile> {
    return project.files.open(path).catch((error: unknown) => {
      const isNothing =
        error instanceof FilesError &&
        ['not_found', 'not_a_file', 'not_a_folder', 'bad_path', 'outside'].includes(error.code);
      throw isNothing ? nothing(path) : error;
    });
  }

  return {
    /** Opens the file for a reply. Files that are not assets give the same 404 as missing ones. */
    async open(
      project: Project,
      path: string,
      { version, openToAll }: { version: string | undefined; openToAll: boolean },
    ): Promise<ServedFile> {
      if (!(await isAsset(project, path))) throw nothing(path);
      const file = await opened(project, path);
      try {
        const rows = await project.database.read((db: AssetDb) => findFiles(db, project, [path]));
        const row = rows.get(path);
        const known = row && isAsKnown(row, file.stat) ? row : undefined;
        const type = known?.media_type ?? typeByName(path);
        const audience = openToAll ? 'public' : 'private';
        const isFixed =
          known !== undefined &&
          version !== undefined &&
          version.length >= ENOUGH_DIGITS &&
          known.sha256.startsWith(version);
        return {
          size: file.stat.size,
          modifiedMs: file.stat.mtimeMs,
          etag: known ? `"${known.sha256.slice(0, 32)}"` : statTag(file.stat),
          type: /^text\//.test(type) ? `${type}; charset=utf-8` : type,
          headers: {
            'cache-control': isFixed
              ? `${audience}, max-age=31536000, immutable`
              : `${audience}, max-age=60, must-revalidate`,
            'content-security-policy': SANDBOX,
            'content-disposition': fileDisposition(path, type),
          },
          stream: file.stream,
          close: file.close,
        };
      } catch (error) {
        file.close();
        throw error;
      }
    },
  };
}

export type AssetFiles = ReturnType<typeof createAssetFiles>;

/** The type of unmeasured bytes comes from the name only if that type can do no harm. */
function typeByName(path: string): string {
  const type = mimeTypeOf(path);
  return type !== null && isPassive(type) ? type : UNKNOWN;
}

const fileDisposition = (path: string, type: string): string =>
  dispositionOf(isPassive(type) ? 'inline' : 'attachment', path.slice(path.lastIndexOf('/') + 1));
