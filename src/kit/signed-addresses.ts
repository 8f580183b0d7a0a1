import { createHmac } from 'node:crypto';
import type { Clock } from './clock.ts';
import { equalSecrets } from './crypto.ts';

/**
 * So long at least an address is good, and it is the same for as long, so that browsers find what they kept. Whoever loses
 * their access keeps what they were given for twice the time at most: nobody is asked when an address is opened.
 */
const LEAST_SECONDS = 150;

/** What a signed address opens: one thing of one tenant's project. */
export interface Signable {
  tenantId: string;
  projectId: string;
  /** The decoded path of the address; its query is not signed. */
  path: string;
}

/** Addresses that open what they name without a token, for a while: for the pictures and players of a page. */
export interface SignedAddresses {
  /** The text that is to stand in the address as `signed`. */
  sign(thing: Signable): string;
  /** Whose thing is opened; null when the text is out of time, altered, or made for another thing. */
  tenantOf(signed: string, thing: Omit<Signable, 'tenantId'>): string | null;
}

/** The text is `<tenant>.<expiry>.<mac>`, so that a process needs nothing but the secret to check it. */
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
