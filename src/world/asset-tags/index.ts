export { assetTagJobsModule } from './asset-tag-jobs.module.ts';
export { assetTagsModule } from './asset-tags.module.ts';
