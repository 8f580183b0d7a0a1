import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_PROJECT, isProjectId } from '../kit/contract.ts';

export const logFolder = (dataDir: string): string => join(dataDir, 'logs');

export const avatarFolder = (dataDir: string): string => join(dataDir, 'avatars');

/** Files shared by the cores of a cloud, beside the content; no tenant can have this name. */
export const sharedFolder = (contentDir: string): string => join(contentDir, '.shared');

/** Thumbnails and other files derived from assets. */
export const thumbnailFolder = (folder: string): string => join(folder, 'thumbnails');

/** Mail of a machine without a mail server. */
export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox');

/** Files of a form while its request runs. */
export const uploadFolder = (dataDir: string): string => join(dataDir, 'uploads');

/** The lock of a data folder; a supervisor finds the process by it. */
export const pidFile = (dataDir: string): string => join(dataDir, 'canonry.pid');

/** The configured folder for the default project, a subfolder of the data folder for others. */
export const projectFolder = (folders: { dataDir: string; contentDir: string }, projectId: string): string =>
  projectId === DEFAULT_PROJECT ? folders.contentDir : join(projectsFolder(folders.dataDir), projectId);

export const projectsFolder = (dataDir: string): string => join(dataDir, 'projects');

/** Ids of projects that have their folders in `parent`. */
export async function projectIdsIn(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.flatMap((entry) => (entry.isDirectory() && isProjectId(entry.name) ? entry.name : []));
}

const TENANT_ID = /^[A-Za-z0-9-]{1,64}$/;

export const tenantFolder = (contentDir: string, tenantId: string, projectId: string): string =>
  join(contentDir, checkedTenant(tenantId), projectId);

/** A tenant's folders in a multi-tenant installation: its content and the files derived from it. */
export const foldersOfTenant = (contentDir: string, tenantId: string): string[] =>
  [contentDir, thumbnailFolder(sharedFolder(contentDir))].map((folder) =>
    join(folder, checkedTenant(tenantId)),
  );

function checkedTenant(tenantId: string): string {
  if (!TENANT_ID.test(tenantId)) throw new Error('the id of the tenant is no name of a folder');
  return tenantId;
}
