import type { Bus } from '../../platform/bus/bus.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { OwnWrites } from './own-writes.ts';

/** Which rows: those of one project of one tenant. */
export interface Scope {
  tenantId: string;
  projectId: string;
}

/** Tells the project from all others, for what is remembered of it. */
export const keyOfProject = ({ tenantId, projectId }: Scope): string => `${tenantId}\n${projectId}`;

/** One content folder and its rows. */
export interface Project extends Scope {
  number: number;
  files: FileStore;
  ownWrites: OwnWrites;
  /** Bytes of a file that is read as text, an entity's for one. */
  largestText: number;
  database: TenantDatabase;
  /** Carries what happens in the project, once it is committed. */
  bus: Pick<Bus, 'publish'>;
}

/** The columns that every row of a project carries. */
export const scopeColumns = ({ tenantId, projectId }: Scope) => ({
  tenant_id: tenantId,
  project_id: projectId,
});

/** Row ids of a project, from its number times this. */
export const ROW_IDS_PER_PROJECT = 2 ** 32;

/** Row ids are unique in the database and grow with the project's sequence. */
export const rowIdOf = (projectNumber: number, seq: number): number =>
  projectNumber * ROW_IDS_PER_PROJECT + seq;

/** So many neighbouring row ids share a bucket. */
const ROW_IDS_PER_BUCKET = 4096;

/**
 * The part of an index that a row's entries go to. New rows are neighbours, so that an import writes to a few pages of
 * the index instead of all of them, at the price of one look-up a bucket.
 */
export const bucketOf = (rowId: number): number => Math.floor(rowId / ROW_IDS_PER_BUCKET);

/** Keys of the search index: everything of a project, and one type of it. */
export const searchScopes = (projectNumber: number, entityType: string): string[] => [
  projectScope(projectNumber),
  typeScope(projectNumber, entityType),
];
export const projectScope = (projectNumber: number): string => `p${projectNumber}`;
export const typeScope = (projectNumber: number, entityType: string): string =>
  `p${projectNumber}t${entityType.toLowerCase().replaceAll(/[^a-z0-9]/g, (char) => `x${char.codePointAt(0)?.toString(16)}x`)}`;
