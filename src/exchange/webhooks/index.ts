export { webhookJobsModule } from './webhook-jobs.module.ts';
export { webhooksModule } from './webhooks.module.ts';
