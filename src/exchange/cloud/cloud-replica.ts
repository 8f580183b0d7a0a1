import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { Project } from '../../world/records/index.ts';
import type { PullReply } from '../replication/pull.contract.ts';
import type { PushReply } from '../replication/push.contract.ts';
import type { Change, ChangePage, Outcome, Replica } from '../sync/index.ts';
import type { CloudDb } from './cloud.tables.ts';
import { itemsOf } from './cloud-items.ts';
import { type Cloud, CloudError, type ConflictRecord } from './cloud-port.ts';
import { settleConflictFiles } from './conflict-files.ts';
import { forgetConflicts, keepConflicts } from './conflicts.store.ts';
import { deliverAnswers } from './conflicts.ts';
import type { CloudLink } from './links.service.ts';
import { asNew, outcomesOf } from './outcomes.ts';
import { type Pushed, pushedOf } from './pushed.ts';
import { sendBytes } from './send-bytes.ts';

export interface CloudReplicaOptions {
  project: Project;
  cloud: Cloud;
  link: CloudLink;
  /** The tenant that the link gives access to; calls `ask` if unknown. */
  cloudTenant(ask: Cloud['account']): Promise<string>;
  log: Log;
}

const pageOf = (reply: PullReply): ChangePage => ({
  items: itemsOf(reply),
  paths: [...reply.entities, ...(reply.files ?? [])].map(({ path }) => path),
  isListing: reply.listing,
  isRestored: reply.restored === true,
  hasMore: reply.has_more,
  cursor: reply.cursor,
  left: [],
});

const hasReason = (error: unknown, reason: string): boolean =>
  error instanceof CloudError && error.reason === reason;

export function createCloudReplica(options: CloudReplicaOptions): Replica {
  const { project, cloud, link, cloudTenant, log } = options;
  let requests = 0;
  const onRequest = () => {
    requests += 1;
  };

  /** Stored before the pull's cursor, or a crash could lose them. */
  const keep = async (records: readonly ConflictRecord[]): Promise<void> => {
    if (records.length === 0) return;
    const { dialect } = project.database;
    await project.database.write((db: CloudDb) => keepConflicts(db, dialect, project, records));
  };

  /** A missing project is created empty in the cloud. */
  const pullAll = (): Promise<PullReply> =>
    cloud.pull(null).catch(async (error: unknown) => {
      if (!hasReason(error, 'no_such_project')) throw error;
      await cloud.push({ entities: [], files: [], cursor: null, force: false }, newId());
      requests += 2;
      return cloud.pull(null);
    });

  async function push(
    pushed: readonly Pushed[],
    options: { cursor: string | null; force: boolean },
  ): Promise<PushReply | null> {
    onRequest();
    const entities = pushed.flatMap((each) => (each.kind === 'entity' ? [each.sent] : []));
    const files = pushed.flatMap((each) => (each.kind === 'file' ? [each.sent] : []));
    return cloud.push({ entities, files, ...options }, newId()).catch((error: unknown) => {
      if (hasReason(error, 'brake')) return null;
      throw error;
    });
  }

  return {
    link,
    takesSample: false,
    get requests() {
      return requests;
    },
    account: () =>
      cloudTenant(() => {
        onRequest();
        return cloud.account();
      }),
    async changes(cursor) {
      const reply = await (cursor === null ? pullAll() : cloud.pull(cursor));
      onRequest();
      await keep(reply.conflicts);
      return pageOf(reply);
    },
    async put(changes, options) {
      const outcomes = new Map<Change, Outcome>();
      const all = changes.map(pushedOf);
      const ahead = await sendBytes({ project, cloud, onRequest }, all);
      let cursor = options.cursor;
      let ready: Pushed[] = [];
      for (const each of all) {
        const next = ahead.get(each) ?? each;
        if ('sent' in next) ready.push(next);
        else outcomes.set(each.change, next);
      }
      while (ready.length > 0) {
        const reply = await push(ready, options);
        if (reply === null) return null;
        await keep(reply.conflicts);
        const found = outcomesOf(ready, reply);
        const again: Pushed[] = [];
        for (const [at, each] of ready.entries()) {
          const outcome = found[at] ?? { kind: 'unsent' };
          const next = asNew(each, outcome, reply);
          if (next) again.push(next);
          else outcomes.set(each.change, outcome);
        }
        cursor = again.length > 0 || cursor === null ? null : reply.cursor;
        ready = again;
      }
      return { outcomes: changes.map((change) => outcomes.get(change) ?? { kind: 'unsent' }), cursor };
    },
    bytes: ({ path, sha256 }) => cloud.fetchFile(path, sha256),
    forget: (db) => forgetConflicts(db as unknown as CloudDb, project),
    conflicts: {
      settle: () => settleConflictFiles(project, log),
      deliver: (leave) => deliverAnswers(project, { cloud, onRequest }, leave),
    },
  };
}
