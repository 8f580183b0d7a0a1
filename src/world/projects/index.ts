export { PROJECT_FILES, SAMPLE_LIST } from './project-files.ts';
export { projectsModule } from './projects.module.ts';
export type {
  Beginning,
  BorrowedProject,
  ProjectFolders,
  ProjectLimits,
  ProjectPart,
  Projects,
} from './projects.service.ts';
export { type ProjectRequest, requestProject } from './request-project.ts';
