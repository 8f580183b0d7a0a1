import { parentPort, workerData } from 'node:worker_threads';
import type { ToConvert } from './convert-in-thread.ts';
import { entityDocument } from './entity-document.ts';

const { name, markdown } = workerData as ToConvert;
parentPort?.postMessage(entityDocument(name, markdown));
