import { unavailable } from '../../kit/errors.ts';
import type { Mirror } from '../mirror/index.ts';
import type { Project } from '../records/index.ts';

/** Updates the rows from the folder, so that a plan based on rows misses no file. Throws 503 if that fails. */
export type CompareFolder = (project: Project) => Promise<void>;

export const createCompareFolder =
  (mirror: Mirror): CompareFolder =>
  async (project) => {
    const { error } = await mirror.sync(project, { kind: 'full' });
    if (error) throw unavailable(`The folder cannot be compared with the database: ${error.message}`);
  };
