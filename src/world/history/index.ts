export { historyModule } from './history.module.ts';
export { pastFiles, timeOf } from './past-files.ts';
