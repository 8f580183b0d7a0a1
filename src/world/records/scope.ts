import type { Bus } from '../../platform/bus/bus.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { OwnWrites } from './own-writes.ts';

export interface Scope {
  tenantId: string;
  projectId: string;
}

export const keyOfProject = ({ tenantId, projectId }: Scope): string => `${tenantId}\n${projectId}`;

export interface Project extends Scope {
  number: number;
  files: FileStore;
  ownWrites: OwnWrites;
  /** Bytes of the largest file that is read as text, such as an entity's. */
  largestText: number;
  database: TenantDatabase;
  /** Publishes the project's events after their commit. */
  bus: Pick<Bus, 'publish'>;
}

export const scopeColumns = ({ tenantId, projectId }: Scope) => ({
  tenant_id: tenantId,
  project_id: projectId,
});

/** Row ids per project; a project's ids begin at its number times this. */
export const ROW_IDS_PER_PROJECT = 2 ** 32;

/** Unique in the database, and growing with the project's sequence. */
export const rowIdOf = (projectNumber: number, seq: number): number =>
  projectNumber * ROW_IDS_PER_PROJECT + seq;

const ROW_IDS_PER_BUCKET = 4096;

/** New rows are neighbours in an index by bucket, so an import writes few of its pages, at the price of one look-up per bucket. */
export const bucketOf = (rowId: number): number => Math.floor(rowId / ROW_IDS_PER_BUCKET);

/** Scopes in the search index: the whole project, and one type of it. */
export const searchScopes = (projectNumber: number, entityType: string): string[] => [
  projectScope(projectNumber),
  typeScope(projectNumber, entityType),
];
export const projectScope = (projectNumber: number): string => `p${projectNumber}`;
export const typeScope = (projectNumber: number, entityType: string): string =>
  `p${projectNumber}t${entityType.toLowerCase().replaceAll(/[^a-z0-9]/g, (char) => `x${char.codePointAt(0)?.toString(16)}x`)}`;
