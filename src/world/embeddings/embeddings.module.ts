import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createThreadClient } from '../../kit/thread-client.ts';
import type { Embedder } from '../../platform/embedder/embedder.ts';
import { templatesModule } from '../definitions/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { modelsModule } from '../models/index.ts';
import { projectsModule } from '../projects/index.ts';
import type { CodeAnswer, CodeQuestion } from './code-thread.ts';
import { embeddingRoutes } from './embeddings.routes.ts';
import { createEmbeddings } from './embeddings.service.ts';
import { embeddingMigrations } from './embeddings.tables.ts';
import { createNearest } from './nearest.service.ts';
import { createNoticing } from './noticing.ts';
import { createVectorSources } from './vector-source.ts';

export interface EmbeddingsContext extends Pick<CoreContext, 'database' | 'jobs' | 'bus' | 'clock' | 'log'> {
  embedder: Embedder;
}

const IDLE_MS = 300_000;
const MOST_MEGABYTES = 256;

/** Comparing texts by meaning: similar entities, repeated passages, and what search by meaning asks. */
export const embeddingsModule = defineModule({
  name: 'embeddings',
  tags: {
    Meaning:
      'What is about the same thing, whatever its words. Read by a small model on this machine, unless an admin chooses another.',
  },
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    entities: entitiesModule,
    models: modelsModule,
  },
  tables: embeddingMigrations,
  create(context: EmbeddingsContext, { projects, templates, entities: { entities }, models }) {
    const { embedder, database, jobs, bus, clock } = context;
    const log = context.log.child('embeddings');
    const thread = createThreadClient<CodeQuestion, CodeAnswer>({
      script: new URL('./code-thread.worker.ts', import.meta.url),
      idleMs: IDLE_MS,
      mostMegabytes: MOST_MEGABYTES,
    });
    const sources = createVectorSources({ embedder, models });
    const nearest = createNearest(thread);
    const embeddings = createEmbeddings({ sources, nearest, templates, jobs, clock });
    const noticing = createNoticing({ database, jobs, bus, log });
    return {
      service: embeddings,
      routes: embeddingRoutes({ projects, entities, embeddings }),
      async start() {
        noticing.start();
        projects.attach({ open: async (project) => noticing.note(project) });
      },
      async stop() {
        noticing.stop();
        await thread.close();
      },
    };
  },
});
