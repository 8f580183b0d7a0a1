import type { Drive } from '../../../platform/drive/drive.ts';

export interface IdPool {
  next(): Promise<string>;
}

const MOST = 1000;

/** Ids for new files, fetched for `wanted` files at once. */
export function createIdPool(drive: Pick<Drive, 'newIds'>, wanted: number): IdPool {
  const free: string[] = [];
  let fetching: Promise<void> | null = null;
  const fetchSome = async () => {
    free.push(...(await drive.newIds(Math.min(MOST, Math.max(1, wanted)))));
    fetching = null;
  };
  return {
    async next() {
      for (;;) {
        const id = free.pop();
        if (id !== undefined) return id;
        fetching ??= fetchSome();
        await fetching;
      }
    },
  };
}
