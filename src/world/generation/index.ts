export { fillJobsModule } from './fill/fill-jobs.module.ts';
export { generationModule } from './generation.module.ts';
