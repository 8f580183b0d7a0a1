import { unavailable } from '../../kit/errors.ts';
import type { Mirror } from '../mirror/index.ts';
import type { Project } from '../records/index.ts';

/** Brings the rows up to date with the folder, so that a plan made of rows misses no file. 503 where that cannot be. */
export type CompareFolder = (project: Project) => Promise<void>;

export const createCompareFolder =
  (mirror: Mirror): CompareFolder =>
  async (project) => {
    const { error } = await mirror.sync(project, { kind: 'full' });
    if (error) throw unavailable(`The folder cannot be compared with the database: ${error.message}`);
  };
