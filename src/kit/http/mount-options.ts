import type { PlanName } from '../../access/plans.ts';
import type { Authenticate } from '../principal.ts';
import type { SignedAddresses } from '../signed-addresses.ts';
import type { HoldBytes } from '../work-budget.ts';
import type { RateLimit } from './rate-limit.ts';

export interface MountOptions {
  authenticate: Authenticate;
  rateLimit: RateLimit;
  /** Tenant and plan of requests without a token; null where every request on a project needs one (cloud). */
  anonymous: { tenantId: string; plan: PlanName } | null;
  /** Tests check every reply against its contract; production only sends it. */
  verifyReplies: boolean;
  /** Folder for the files of forms while their request runs; the system's temporary folder by default. */
  uploadFolder?: string;
  /** Reserves disk space for the files of forms; without it they are not counted. */
  holdUploadSpace?: HoldBytes;
  /** For surfaces that browsers sign in to with cookies. */
  cookies?: CookieOptions;
  /** Signs and verifies addresses, where open routes require a token. */
  signedAddresses?: SignedAddresses;
  /** The project of requests that do not name one; `default` if not given. */
  defaultProject?: () => string;
  /** Reserves memory for costly requests; without it they are not counted. */
  holdBytes?: HoldBytes;
  serviceToken?: string | null;
  metricsToken?: string | null;
}

export interface CookieOptions {
  accessToken: string;
  /** Origins besides our own whose pages may send writes. */
  origins: readonly string[];
  /** True if cookies are sent only over https, even when the request itself came without it. */
  secure: boolean;
}
