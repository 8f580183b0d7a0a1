import { type Project, type Scope, scopeColumns } from '../../world/records/index.ts';

/** A project can be kept equal to one replica of each kind. Each has a state of its own. */
export type ReplicaName = 'cloud' | 'drive';

export interface SyncScope extends Scope {
  replica: ReplicaName;
}

/** No `Project` itself: other modules know a project by its identity, so they get `whole`. */
export interface SyncedProject extends SyncScope, Pick<Project, 'database'> {
  whole: Project;
}

export const syncedProject = (whole: Project, replica: ReplicaName): SyncedProject => {
  const { tenantId, projectId, database } = whole;
  return { tenantId, projectId, database, replica, whole };
};

export const replicaColumns = (scope: SyncScope) => ({ ...scopeColumns(scope), replica: scope.replica });

/** The engine among the readers of the change feed. */
export const feedReader = ({ replica }: Pick<SyncScope, 'replica'>): string => `sync ${replica}`;
