import type { Project } from '../records/index.ts';

/** The name of the lock for changes of an entity's file and row. */
export const entityLock = (project: Project, entityType: string, entityId: string): string =>
  `entity ${project.projectId} ${entityType} ${entityId}`;
