import { HttpError } from '../../kit/errors.ts';
import { type JobHandlers, JobRefused } from '../../platform/jobs/handlers.ts';
import type { JobKey, Jobs } from '../../platform/jobs/jobs.ts';
import type { Projects } from '../projects/index.ts';
import type { Scope } from '../records/index.ts';
import type { Indexer } from './indexer.ts';

export const EMBEDDINGS_QUEUE = 'embeddings';

/** Brings a project's vectors up to date. */
export const followJob = ({ tenantId, projectId }: Scope): JobKey => ({
  ...{ tenantId, projectId, queue: EMBEDDINGS_QUEUE, kind: 'follow', subject: projectId },
});

interface Options {
  projects: Projects;
  indexer: Indexer;
  jobs: Jobs;
}

/** Repeating these helps nobody: a person has to change something first. */
const isRefusal = (error: unknown): error is HttpError =>
  error instanceof HttpError && [402, 404, 409].includes(error.status);

export const createEmbeddingJobs = ({ projects, indexer, jobs }: Options): JobHandlers => ({
  async follow(job, signal) {
    try {
      const isDone = await projects.use(job.tenantId, job.projectId, (project) => indexer(project, signal));
      if (!isDone) await jobs.add([job]);
    } catch (error) {
      throw isRefusal(error) ? new JobRefused(error.message) : error;
    }
  },
});
