import type { DocumentMerge } from '../../content/merge/index.ts';
import { runInThread } from '../../kit/run-in-thread.ts';
import { type CompareOrder, type LongWork, type MergeOrder, WORK } from './long-texts.work.ts';

/** Characters below which the work takes less time than the start of a thread. */
const LONG = 200_000;
const LIMITS = { mostMs: 30_000, mostMegabytes: 512 };

const inThread = <Answer>(order: LongWork): Promise<Answer> =>
  runInThread<Answer>(new URL('./long-texts.worker.ts', import.meta.url), order, LIMITS);

/** Compares two states, as JSON text: by field, by line and as a unified diff. Long texts are compared in a thread. */
export async function compareTexts(order: CompareOrder): Promise<string> {
  const isLong = order.before.text.length + order.after.text.length > LONG;
  return isLong ? inThread({ compare: order }) : WORK.compare(order);
}

/** Merges file texts like `mergeDocuments`; long ones in a thread. */
export async function mergeTexts(order: MergeOrder): Promise<DocumentMerge> {
  const isLong = order.base.length + order.local.length + order.remote.length > LONG;
  return isLong ? inThread({ merge: order }) : WORK.merge(order);
}
