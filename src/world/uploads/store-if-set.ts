import { HttpError } from '../../kit/errors.ts';
import type { BlobStore } from '../../platform/blobs/blobs.ts';
import type { Scope } from '../records/index.ts';
import type { Stores } from '../storage/index.ts';

/** A project's store; null if its tenant has none, as in a cloud that keeps content in folders. */
export const storeIfSet = (
  stores: Stores,
  { tenantId, projectId }: Pick<Scope, 'tenantId' | 'projectId'>,
): Promise<BlobStore | null> =>
  stores.of(tenantId, projectId).catch((error: unknown) => {
    if (error instanceof HttpError && error.extras.code === 'storage_not_configured') return null;
    throw error;
  });
