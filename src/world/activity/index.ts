export { activityModule } from './activity.module.ts';
