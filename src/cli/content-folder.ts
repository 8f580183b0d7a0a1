import type { Config } from '../kit/config/index.ts';
import { messageOf } from '../kit/errors.ts';
import { readTemplateFiles } from '../modules/templates/template-files.ts';
import { type TemplateSet, templateSetOf } from '../modules/templates/template-set.ts';
import { LOCAL_TENANT } from '../modules/users/tenant.ts';
import type { FileScanner, FileStore } from '../platform/files/files.ts';
import { projectFolder } from '../surfaces/folders.ts';
import { openProjectFolders } from '../surfaces/platform.ts';
import { openScanner } from '../surfaces/scanner.ts';
import { CommandError } from './context.ts';

export interface ContentFolder {
  projectId: string;
  /** Absolute. */
  root: string;
  files: FileStore;
  scanner: FileScanner;
  set: TemplateSet;
}

/** Opens a project's content folder and reads its templates, without a database. */
export async function openContentFolder(config: Config, projectId: string): Promise<ContentFolder> {
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
  const set = templateSetOf(await readTemplateFiles(files, new Map()));
  return { projectId, root, files, scanner: openScanner(files.describe()), set };
}
