export { rootRoute } from './docs.routes.ts';
export { createLogsModule, createOperationsModule } from './operations.module.ts';
export { createStatusModule } from './status.module.ts';
