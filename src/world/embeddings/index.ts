export { embeddingJobsModule } from './embedding-jobs.module.ts';
export { embeddingsModule } from './embeddings.module.ts';
export type { Embeddings, IndexProgress } from './embeddings.service.ts';
export type { FoundEntity, FoundPassage } from './found-passage.ts';
export { typesIn } from './types-in.ts';
