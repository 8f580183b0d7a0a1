import { LOCAL_TENANT } from '../access/local-tenant.ts';
import type { Config } from '../kit/config/index.ts';
import { messageOf } from '../kit/errors.ts';
import type { FileScanner, FileStore } from '../platform/files/files.ts';
import { projectFolder } from '../surfaces/folders.ts';
import { openProjectFolders } from '../surfaces/platform.ts';
import { openLocalScanner } from '../surfaces/scanner.ts';
import { readTemplateSet, type TemplateSet } from '../world/definitions/index.ts';
import { findContentRow, type StorageDb } from '../world/storage/index.ts';
import { CommandError } from './context.ts';
import { databaseExists, lookIntoDatabase } from './database.ts';

export interface ContentFolder {
  projectId: string;
  /** Absolute path. */
  root: string;
  files: FileStore;
  scanner: FileScanner;
  set: TemplateSet;
  /** Limit in bytes for files that are read as text. */
  largestText: number;
}

/** Opens a project's content folder with its templates and rules. Refuses if the content was moved to other storage. */
export async function openContentFolder(config: Config, projectId: string): Promise<ContentFolder> {
  if (await isContentElsewhere(config))
    throw new CommandError(
      'The content is no longer in the content folder: it was moved to other storage. Use the API of the running service, or move it back (PUT /api/settings/storage, POST /api/settings/storage/move)',
    );
  return openFolder(config, projectId);
}

async function isContentElsewhere(config: Config): Promise<boolean> {
  if (!databaseExists(config)) return false;
  try {
    return await lookIntoDatabase(config, async (database) => {
      const rows = database.tenant(LOCAL_TENANT);
      return (await rows.read((db: StorageDb) => findContentRow(db, LOCAL_TENANT)))?.place != null;
    });
  } catch {
    // An older or unreadable database cannot say where content was moved, so the folder is all there is to check.
    return false;
  }
}

/** Opens any content folder, without a database. */
export async function openFolder(config: Config, projectId: string): Promise<ContentFolder> {
  const root = projectFolder(config, projectId);
  const files = await openProjectFolders(config).open(LOCAL_TENANT, projectId);
  if (files === null)
    throw new CommandError(
      `There is no project '${projectId}': canonry init --project ${projectId} makes it`,
    );
  try {
    await files.probe();
  } catch (error) {
    throw new CommandError(
      `${root}: ${messageOf(error)}. Set CONTENT_DIR to a content folder, or fill it: canonry init`,
      { cause: error },
    );
  }
  const set = await readTemplateSet(files);
  return {
    projectId,
    root,
    files,
    scanner: openLocalScanner(await files.describe()),
    set,
    largestText: config.largestText,
  };
}
