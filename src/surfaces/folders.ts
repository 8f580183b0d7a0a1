import { join } from 'node:path';
import { DEFAULT_PROJECT } from '../kit/contract.ts';

/** Where the logs lie below the data folder. */
export const logFolder = (dataDir: string): string => join(dataDir, 'logs');

/** Users' own pictures. */
export const avatarFolder = (dataDir: string): string => join(dataDir, 'avatars');

/** What the cores of a cloud keep together beside content; no tenant can have its name. */
export const sharedFolder = (contentDir: string): string => join(contentDir, '.shared');

/** Small pictures of assets, and what else is made of their bytes. */
export const thumbnailFolder = (folder: string): string => join(folder, 'thumbnails');

/** Mail of a machine without a mail server. */
export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox');

/** Where the files of a form lie while their request runs. */
export const uploadFolder = (dataDir: string): string => join(dataDir, 'uploads');

/** The lock of a data folder, and where a supervisor finds the process. */
export const pidFile = (dataDir: string): string => join(dataDir, 'canonry.pid');

/** The content folder of a project: the default project's is the one that is set, others lie in the data folder. */
export const projectFolder = (folders: { dataDir: string; contentDir: string }, projectId: string): string =>
  projectId === DEFAULT_PROJECT ? folders.contentDir : join(folders.dataDir, 'projects', projectId);

const TENANT_ID = /^[A-Za-z0-9-]{1,64}$/;

/** The content folder of a project where there are many tenants. */
export const tenantFolder = (contentDir: string, tenantId: string, projectId: string): string =>
  join(contentDir, checkedTenant(tenantId), projectId);

/** The folders of a tenant's content and of what is made of it, where there are many tenants. */
export const foldersOfTenant = (contentDir: string, tenantId: string): string[] =>
  [contentDir, thumbnailFolder(sharedFolder(contentDir))].map((folder) =>
    join(folder, checkedTenant(tenantId)),
  );

function checkedTenant(tenantId: string): string {
  if (!TENANT_ID.test(tenantId)) throw new Error('the id of the tenant is no name of a folder');
  return tenantId;
}
