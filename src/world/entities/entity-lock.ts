import type { Project } from '../records/index.ts';

export const entityLock = (project: Project, entityType: string, entityId: string): string =>
  `entity ${project.projectId} ${entityType} ${entityId}`;
