import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.ts';

interface SyncStatus {
  running: boolean;
  last: { status: string; duration_ms: number; created: number; error: unknown } | null;
}

/** Resolves to the report of the initial sync once it is done. */
export async function firstSync(service: Service): Promise<NonNullable<SyncStatus['last']>> {
  for (;;) {
    const { running, last } = await service.call<SyncStatus>('GET', '/api/sync/status');
    if (!running && last !== null) {
      if (last.status !== 'completed')
        throw new Error(`the sync ended as ${last.status}: ${JSON.stringify(last)}`);
      return last;
    }
    await sleep(50);
  }
}
