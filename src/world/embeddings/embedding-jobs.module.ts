import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Embedder } from '../../platform/embedder/embedder.ts';
import { modelsModule } from '../models/index.ts';
import { projectsModule } from '../projects/index.ts';
import { createEmbeddingJobs, EMBEDDINGS_QUEUE } from './embeddings.jobs.ts';
import { createIndexer } from './indexer.ts';
import { createVectorSources } from './vector-source.ts';

export interface EmbeddingJobsContext extends Pick<CoreContext, 'jobs' | 'clock' | 'log'> {
  embedder: Embedder;
}

/** Short: a lease lost by mistake costs a passage computed twice. */
const LEASE_MS = 6_000;

/** Reads entities and stores the vectors of their passages, in a core or in a process of its own. */
export const embeddingJobsModule = defineModule({
  name: 'embedding jobs',
  uses: { projects: projectsModule, models: modelsModule },
  create({ embedder, jobs, clock, log }: EmbeddingJobsContext, { projects, models }) {
    const indexer = createIndexer({ sources: createVectorSources({ embedder, models }), clock });
    return {
      jobs: [
        {
          queue: EMBEDDINGS_QUEUE,
          handlers: createEmbeddingJobs({ projects, indexer, jobs }),
          // The model computes one text at a time.
          atOnce: 1,
          log: log.child('embeddings'),
          timings: { leaseMs: LEASE_MS },
        },
      ],
    };
  },
});
