import { readFile } from 'node:fs/promises';
import { badRequest, HttpError, notFound, unavailable } from '../../kit/errors.ts';
import type { ServedFile } from '../../kit/http/file-reply.ts';
import { type FileStore, FilesError } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { statTag } from '../../platform/files/stat-tag.ts';
import { ImageError, type Images } from '../../platform/images/images.ts';
import { avatarPath } from './profile.ts';
import type { Users } from './users.service.ts';

/** Pixels (spec 1 §4.10). */
const LONGEST_SIDE = 512;

export interface AvatarsOptions {
  users: Users;
  images: Images;
  /** One file per user. */
  files: FileStore;
}

const fileOf = (userId: string): string => `${userId}.jpg`;

export function createAvatars({ users, images, files }: AvatarsOptions) {
  return {
    /** Replaces the avatar with the file at `path`; returns its address. 400 if it is no image, 500 if it cannot be stored. */
    async replace(userId: string, path: string): Promise<string> {
      const jpeg = await images.toJpeg(await readFile(path), { within: LONGEST_SIDE }).catch(refuse);
      await files.write(fileOf(userId), jpeg).catch(notStored);
      await users.update(userId, { avatarUrl: avatarPath(userId) });
      return avatarPath(userId);
    },

    async open(userId: string): Promise<ServedFile> {
      const file = await files.open(fileOf(userId)).catch(ifGone);
      if (!file) throw notFound('There is no picture of this user');
      return {
        size: file.stat.size,
        modifiedMs: file.stat.mtimeMs,
        etag: statTag(file.stat),
        type: 'image/jpeg',
        // The address stays the same when the avatar changes, so it is revalidated after a minute.
        headers: { 'cache-control': 'public, max-age=60, must-revalidate' },
        stream: file.stream,
        close: file.close,
      };
    },

    async remove(userId: string): Promise<void> {
      await files.remove(fileOf(userId)).catch(ifGone);
    },
  };
}

export type Avatars = ReturnType<typeof createAvatars>;

function refuse(error: unknown): never {
  if (!(error instanceof ImageError)) throw error;
  if (error.code === 'busy') throw unavailable(`${error.message}: try again shortly`);
  throw badRequest(error.message, { code: `avatar_${error.code}` });
}

function notStored(error: unknown): never {
  if (error instanceof FilesError)
    throw new HttpError(500, 'The picture could not be stored; the previous one is still there');
  throw error;
}
