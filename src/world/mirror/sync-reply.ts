import { HttpError } from '../../kit/errors.ts';
import type { SyncReport } from './report.ts';

/** Returns the report of a successful run; a failed one becomes an error reply with the report in it. */
export function succeeded(report: SyncReport): SyncReport {
  const { error } = report;
  if (error === null) return report;
  const status = error.code === 'internal' ? 500 : 503;
  throw new HttpError(status, `The sync failed and deleted nothing: ${error.message}`, {
    code: error.code,
    headers: { 'retry-after': '5' },
    body: { report },
  });
}
