import { conflict } from '../../kit/errors.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { BlobPlace } from '../../platform/blobs/blobs.ts';

/** Places as rows hold them: address and credentials in one sealed text, bound to the tenant and the purpose. */
export function createSealedPlaces(box: SecretBox) {
  const contextOf = (tenantId: string, use: string) => `${use} ${tenantId} place`;
  type Use = 'storage_settings' | 'storage_content' | 'storage_moves';
  const opened = (sealed: string, tenantId: string, use: Use): BlobPlace =>
    JSON.parse(box.open(sealed, contextOf(tenantId, use))) as BlobPlace;
  return {
    /** False if it was sealed under another key. */
    isReadable(sealed: string, tenantId: string, use: Use): boolean {
      try {
        opened(sealed, tenantId, use);
        return true;
      } catch {
        return false;
      }
    },
    seal: (place: BlobPlace, tenantId: string, use: Use) =>
      box.seal(JSON.stringify(place), contextOf(tenantId, use)),
    /** Throws 409 if it was sealed under another key. */
    open(sealed: string, tenantId: string, use: Use): BlobPlace {
      try {
        return opened(sealed, tenantId, use);
      } catch {
        throw conflict(
          'The storage settings cannot be read: ENCRYPTION_KEY has changed since they were saved',
          { code: 'storage_unreadable' },
        );
      }
    },
  };
}

export type SealedPlaces = ReturnType<typeof createSealedPlaces>;

/** True if two places hold the same objects, with any credentials. */
export function isSameLocation(one: BlobPlace | null, other: BlobPlace | null): boolean {
  return locationKey(one) === locationKey(other);
}

function locationKey(place: BlobPlace | null): string {
  if (place === null) return 'default';
  switch (place.provider) {
    case 'local':
      return JSON.stringify(['local', place.path]);
    case 's3':
      return JSON.stringify(['s3', originOf(place.endpoint), place.bucket]);
    case 'azure':
      return JSON.stringify(['azure', originOf(place.endpoint) || accountOf(place), place.container]);
  }
}

/** Normalises an address: no slash at the end, no default port, a lower-case host. */
const originOf = (endpoint = ''): string =>
  URL.canParse(endpoint) ? new URL(endpoint).href.replace(/\/+$/, '') : endpoint;

/** The parts of a connection string that identify the account; the rest are credentials. */
function accountOf({ account, connection_string: text = '' }: Extract<BlobPlace, { provider: 'azure' }>) {
  if (account !== undefined) return account;
  return text
    .split(';')
    .filter((field) => /^(?:AccountName|BlobEndpoint|EndpointSuffix)=/.test(field))
    .join(';');
}
