import type { PlanName } from '../../access/plans.ts';
import type { Authenticate } from '../principal.ts';
import type { SignedAddresses } from '../signed-addresses.ts';
import type { HoldBytes } from '../work-budget.ts';
import type { RateLimit } from './rate-limit.ts';

export interface MountOptions {
  authenticate: Authenticate;
  rateLimit: RateLimit;
  /** The tenant and plan of requests without a token; null where every request on a project needs one (cloud). */
  anonymous: { tenantId: string; plan: PlanName } | null;
  /** Tests check every reply against its contract; production only sends it. */
  verifyReplies: boolean;
  /** Where the files of forms lie while their request runs; the system's folder for such unless given. */
  uploadFolder?: string;
  /** Room on disk for the files of forms; without it they are not counted. */
  holdUploadSpace?: HoldBytes;
  /** For surfaces that browsers sign in to by cookies. */
  cookies?: CookieOptions;
  /** Signs addresses and knows them again, where open routes want a token. */
  signedAddresses?: SignedAddresses;
  /** The project of requests that name none; `default` unless given. */
  defaultProject?: () => string;
  /** Memory for requests that are costly; without it they are not counted. */
  holdBytes?: HoldBytes;
  /** What calls of other surfaces must bring. */
  serviceToken?: string | null;
  /** What those who collect figures must bring. */
  metricsToken?: string | null;
}

export interface CookieOptions {
  /** The cookie whose value stands for an access token. */
  accessToken: string;
  /** Origins, beside the own one, whose pages may send writes. */
  origins: readonly string[];
  /** Whether cookies go over https alone even where the request came without it. */
  secure: boolean;
}
