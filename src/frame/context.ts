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

/** What the modules of every surface may take. */
export interface Base {
  config: Config;
  log: Log;
  clock: Clock;
  database: Database;
  keyValue: KeyValue;
  rateLimit: RateLimit;
  /** Memory for costly work that callers ask for. */
  holdBytes: HoldBytes;
  /** Keeps what is secret in the database. */
  box: SecretBox;
  metrics: Metrics;
}

/** What the modules of a core may take. A port that one module alone needs stands in that module's own context. */
export interface CoreContext extends Base {
  bus: Bus;
  jobs: Jobs;
  /** Works on all pictures of the process, so that there is one queue of them. */
  images: Images;
  authenticate: Authenticate;
  /** The plan of a tenant where no request says it, as in a sync. */
  planOf(tenantId: string): PlanName;
  /** Bytes of files that a plan allows, -1 for any number. */
  storageLimitOf(plan: PlanName): number;
  /** What people are shown as beside their changes; null for somebody who is not known here. */
  nameOf(userId: string): Promise<string | null>;
  /** Opens assets to pages without a token; null where everybody may read them. */
  signedAddresses: SignedAddresses | null;
  /** Folder for what is made of content and what comes in parts, shared by all cores that serve the same tenants. */
  workFolder: string;
}
