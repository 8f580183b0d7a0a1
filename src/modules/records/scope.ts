import type { TenantDatabase } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';

/** Which rows: those of one project of one tenant. */
export interface Scope {
  tenantId: string;
  projectId: string;
}

/** One content folder and its rows. */
export interface Project extends Scope {
  number: number;
  files: FileStore;
  database: TenantDatabase;
}

/** The columns that every row of a project carries. */
export const scopeColumns = ({ tenantId, projectId }: Scope) => ({
  tenant_id: tenantId,
  project_id: projectId,
});

const ROW_IDS_PER_PROJECT = 2 ** 32;

/** Row ids are unique in the database and grow with the project's sequence. */
export const rowIdOf = (projectNumber: number, seq: number): number =>
  projectNumber * ROW_IDS_PER_PROJECT + seq;

/** Keys of the search index: everything of a project, and one type of it. */
export const searchScopes = (projectNumber: number, entityType: string): string[] => [
  projectScope(projectNumber),
  typeScope(projectNumber, entityType),
];
export const projectScope = (projectNumber: number): string => `p${projectNumber}`;
export const typeScope = (projectNumber: number, entityType: string): string =>
  `p${projectNumber}t${entityType.toLowerCase().replaceAll(/[^a-z0-9]/g, (char) => `x${char.codePointAt(0)?.toString(16)}x`)}`;
