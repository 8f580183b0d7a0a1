import type { Project } from '../records/index.ts';

/** Held while an entity's file and row are changed. */
export const entityLock = (project: Project, entityType: string, entityId: string): string =>
  `entity ${project.projectId} ${entityType} ${entityId}`;
