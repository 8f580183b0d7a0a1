import type { Contract } from '../../kit/contract.ts';
import type { LogFiles } from '../../kit/log/index.ts';
import type { Module } from '../module.ts';
import { docsRoutes } from './docs.routes.ts';
import { createDocs } from './docs.service.ts';
import { healthRoutes } from './health.routes.ts';
import { createHealth, type HealthOptions } from './health.service.ts';
import { logRoutes } from './logs.routes.ts';
import { createLogs } from './logs.service.ts';

export interface OperationsOptions extends HealthOptions {
  /** Every contract of the surface, this module's included; asked for when the document is first read. */
  contracts(): readonly Contract[];
  logFiles: LogFiles;
  /** The product's version, as the document names it. */
  version: string;
}

/** Health, logs and the API's documentation. */
export const createOperationsModule = (options: OperationsOptions): Module => ({
  name: 'operations',
  routes: [
    ...healthRoutes(createHealth(options)),
    ...logRoutes(createLogs(options.logFiles)),
    ...docsRoutes(createDocs(options)),
  ],
});
