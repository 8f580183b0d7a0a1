import { parentPort, workerData } from 'node:worker_threads';
import { type LongWork, WORK } from './long-texts.work.ts';

const order = workerData as LongWork;
parentPort?.postMessage('compare' in order ? WORK.compare(order.compare) : WORK.merge(order.merge));
