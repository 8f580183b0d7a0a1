import { createHmac } from 'node:crypto';
import type { Clock } from './clock.ts';
import { equalSecrets } from './crypto.ts';

/**
 * An address is valid at least this long, and stays the same for as long, so that browsers can cache it. A person who
 * loses access can open known addresses for at most twice this time, since opening one checks nothing else.
 */
const LEAST_SECONDS = 150;

/** One path of one tenant's project. */
export interface Signable {
  tenantId: string;
  projectId: string;
  /** The decoded path of the address; its query is not signed. */
  path: string;
}

/** Addresses that open their resource without a token for a while: for images and players in a page. */
export interface SignedAddresses {
  /** For the query parameter `signed`. */
  sign(thing: Signable): string;
  /** Null if the value has expired, was altered, or was made for another resource. */
  tenantOf(signed: string, thing: Omit<Signable, 'tenantId'>): string | null;
}

/** The value is `<tenant>.<expiry>.<mac>`, so that a process needs only the secret to check it. */
export function createSignedAddresses({ secret, clock }: { secret: string; clock: Clock }): SignedAddresses {
  const macOf = ({ tenantId, projectId, path }: Signable, expires: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([tenantId, projectId, path, expires]))
      .digest('base64url');
  return {
    sign(thing) {
      const begun = Math.floor(clock.now() / 1000 / LEAST_SECONDS);
      const expires = String((begun + 2) * LEAST_SECONDS);
      return `${Buffer.from(thing.tenantId).toString('base64url')}.${expires}.${macOf(thing, expires)}`;
    },
    tenantOf(signed, thing) {
      const [tenant = '', expires = '', mac = '', ...rest] = signed.split('.');
      const tenantId = Buffer.from(tenant, 'base64url').toString('utf8');
      if (rest.length > 0 || !equalSecrets(mac, macOf({ ...thing, tenantId }, expires))) return null;
      return Number(expires) * 1000 > clock.now() ? tenantId : null;
    },
  };
}
