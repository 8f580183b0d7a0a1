import type { BlobLimits, BlobPlace, BlobStore } from '../platform/blobs/blobs.ts';
import type { PrivateEndpoints } from '../platform/outgoing/outgoing.ts';

/** Opens a blob store; the SDK of a provider is loaded with the first of its stores. */
export async function openBlobs(
  place: BlobPlace,
  limits: BlobLimits,
  privateEndpoints: PrivateEndpoints,
): Promise<BlobStore> {
  if (place.provider === 'local') {
    const { createLocalBlobs } = await import('../platform/blobs/adapters/local-blobs.ts');
    return createLocalBlobs(place);
  }
  // This loads Node's own fetch through node:http: megabytes that few services need.
  const { createOutgoing } = await import('../platform/outgoing/outgoing.ts');
  const outgoing = createOutgoing({ privateEndpoints });
  if (place.provider === 's3') {
    const { createS3Blobs } = await import('../platform/blobs/adapters/s3-blobs.ts');
    return createS3Blobs({ place, outgoing, limits });
  }
  const { createAzureBlobs } = await import('../platform/blobs/adapters/azure-blobs.ts');
  return createAzureBlobs({ place, outgoing, limits });
}
