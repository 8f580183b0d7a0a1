export { createLogsModule, createOperationsModule } from './operations.module.ts';
export { createStatusModule } from './status.module.ts';
