import { runInThread } from '../../../kit/run-in-thread.ts';

const LIMITS = { mostMs: 10_000, mostMegabytes: 256 };

export interface ToConvert {
  name: string;
  markdown: string;
}

/** The page for a word processor. Some texts of a megabyte keep the parser busy for minutes: 503 for these. */
export const convertInThread = (order: ToConvert): Promise<string> =>
  runInThread<string>(new URL('./entity-document.worker.ts', import.meta.url), order, LIMITS);
