export { ASSET_QUEUE } from './assets.jobs.ts';
