import type { DocumentMerge } from '../../content/merge/index.ts';
import { askThread } from '../../kit/ask-thread.ts';
import { type CompareOrder, type LongWork, type MergeOrder, WORK } from './long-texts.work.ts';

/** Shorter ones are done in less time than a thread takes to start. */
const LONG = 200_000;
const LIMITS = { mostMs: 30_000, mostMegabytes: 512 };

const inThread = <Answer>(order: LongWork): Promise<Answer> =>
  askThread<Answer>(new URL('./long-texts.worker.ts', import.meta.url), order, LIMITS);

/** What differs between two states, as JSON text: field by field, line by line, and as a unified diff. The service goes on while long texts are compared. */
export async function compareTexts(order: CompareOrder): Promise<string> {
  const isLong = order.before.text.length + order.after.text.length > LONG;
  return isLong ? inThread({ compare: order }) : WORK.compare(order);
}

/** Merges file texts as `mergeDocuments` does; the service goes on while long ones are merged. */
export async function mergeTexts(order: MergeOrder): Promise<DocumentMerge> {
  const isLong = order.base.length + order.local.length + order.remote.length > LONG;
  return isLong ? inThread({ merge: order }) : WORK.merge(order);
}
