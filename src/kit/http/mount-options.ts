import type { PlanName } from '../../access/plans.ts';
import type { Authenticate } from '../principal.ts';
import type { SignedAddresses } from '../signed-addresses.ts';
import type { HoldBytes } from '../work-budget.ts';
import type { EndOnClose } from './end-on-close.ts';
import type { RateLimit } from './rate-limit.ts';

export interface MountOptions {
  authenticate: Authenticate;
  rateLimit: RateLimit;
  /** For requests without a token; null where every request on a project needs one (cloud). */
  anonymous: { tenantId: string; plan: PlanName } | null;
  /** Tests check every reply against its contract; production only sends it. */
  verifyReplies: boolean;
  /** For the files of forms while their request runs; by default the system's temporary folder. */
  uploadFolder?: string;
  /** Disk space for the files of forms; without it they are not counted. */
  holdUploadSpace?: HoldBytes;
  cookies?: CookieOptions;
  /** Signs and verifies addresses, where open routes require a token. */
  signedAddresses?: SignedAddresses;
  /** `default` if not given. */
  defaultProject?: () => string;
  /** Memory for costly requests; without it they are not counted. */
  holdBytes?: HoldBytes;
  /** For replies without an end of their own; without it closing waits for their callers. */
  endOnClose?: EndOnClose;
  serviceToken?: string | null;
  metricsToken?: string | null;
}

export interface CookieOptions {
  accessToken: string;
  /** Besides our own: their pages may send writes. */
  origins: readonly string[];
  /** True if cookies are sent only over https, even when the request itself came without it. */
  secure: boolean;
}
