import type { Credits } from '../access/credits.ts';
import type { PlanName } from '../access/plans.ts';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import type { RateLimit } from '../kit/http/rate-limit.ts';
import type { Log } from '../kit/log.ts';
import type { Metrics } from '../kit/metrics.ts';
import type { Authenticate } from '../kit/principal.ts';
import type { SecretBox } from '../kit/secret-box.ts';
import type { SignedAddresses } from '../kit/signed-addresses.ts';
import type { HoldBytes } from '../kit/work-budget.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Database } from '../platform/database/database.ts';
import type { Images } from '../platform/images/images.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { KeyValue } from '../platform/kv/kv.ts';
import type { Llms } from '../platform/llm/llms.ts';

export interface Base {
  config: Config;
  log: Log;
  clock: Clock;
  database: Database;
  keyValue: KeyValue;
  rateLimit: RateLimit;
  /** A memory budget for costly work that callers ask for. */
  holdBytes: HoldBytes;
  /** Disk space for files that callers send or ask to be fetched. */
  holdUploadSpace: HoldBytes;
  box: SecretBox;
  metrics: Metrics;
}

export interface CoreContext extends Base {
  bus: Bus;
  jobs: Jobs;
  credits: Credits;
  llms: Llms;
  /** One queue for all image processing of the process. */
  images: Images;
  authenticate: Authenticate;
  /** The plan of a tenant where no request names it, as in a sync. */
  planOf(tenantId: string): PlanName;
  /** Bytes of files that a plan allows; -1 for unlimited. */
  storageLimitOf(plan: PlanName): number;
  /** The display name shown beside a person's changes; null for an unknown user. */
  nameOf(userId: string): Promise<string | null>;
  /** Grants pages access to assets without a token; null where everybody may read assets. */
  signedAddresses: SignedAddresses | null;
  /** Folder for derived files and partial uploads, shared by all cores that serve the same tenants. */
  workFolder: string;
}
