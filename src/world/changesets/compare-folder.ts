import type { Project } from '../records/scope.ts';

/** Brings the rows up to date with the folder, so that a plan made of rows misses no file. Throws where that cannot be. */
export type CompareFolder = (project: Project) => Promise<void>;
