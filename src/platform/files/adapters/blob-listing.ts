import { type BlobStat, type BlobStore, BlobsError } from '../../blobs/blobs.ts';

const PAGE = 1_000;
/** Requests that run at the same time. */
export const AT_ONCE = 8;

/** An incomplete listing throws. */
export async function* pagesBelow(blobs: BlobStore, prefix: string): AsyncGenerator<BlobStat[]> {
  let from: string | null = null;
  do {
    const page = await blobs.list({ prefix, limit: PAGE, from });
    if (page.next !== null && page.next === from)
      throw new BlobsError('refused', 'The storage gives the same page of its objects again and again');
    yield page.blobs;
    from = page.next;
  } while (from !== null);
}

export async function keysBelow(blobs: BlobStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of pagesBelow(blobs, prefix)) for (const { key } of page) keys.push(key);
  return keys;
}

export const hasBelow = async (blobs: BlobStore, prefix: string): Promise<boolean> =>
  (await blobs.list({ prefix, limit: 1 })).blobs.length > 0;
