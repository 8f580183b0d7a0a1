import { type Clock, isoTime } from '../../kit/clock.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { invalid } from '../../kit/errors.ts';
import { inProject, inTenant } from '../../platform/database/scoped.ts';
import { type Project, scopeColumns } from '../../world/records/index.ts';
import type { ReplicationDb } from './replication.tables.ts';

const KEPT_MS = 24 * 3_600_000;
const LONGEST_KEY = 200;
/** Longer replies are not stored: repeating a push is safe, it only costs a comparison. */
const LONGEST_REPLY = 1_000_000;

interface Asking {
  userId: string;
  key: string | string[] | undefined;
  body: unknown;
}

/** Repeats the stored reply (JSON) to a request with a known key; otherwise runs `work`. */
export function createAnsweredOnce({ clock }: { clock: Clock }) {
  const find = (project: Project, userId: string, key: string) =>
    project.database.read((db: ReplicationDb) =>
      inProject(db, project)
        .selectFrom('sync_pushes')
        .select(['body_hash', 'reply'])
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .where('created_at', '>=', isoTime(clock.now() - KEPT_MS))
        .executeTakeFirst(),
    );

  const keep = (project: Project, row: { user_id: string; key: string; body_hash: string; reply: string }) =>
    project.database.write(async (db: ReplicationDb) => {
      const now = clock.now();
      await inTenant(db, project.tenantId)
        .deleteFrom('sync_pushes')
        .where('created_at', '<', isoTime(now - KEPT_MS))
        .execute();
      await db
        .insertInto('sync_pushes')
        .values({ ...scopeColumns(project), ...row, created_at: isoTime(now) })
        .execute();
    });

  return async (
    project: Project,
    { userId, key, body }: Asking,
    work: () => Promise<unknown>,
  ): Promise<string> => {
    if (key === undefined) return JSON.stringify(await work());
    if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY) {
      throw invalid(`Idempotency-Key must be one text of at most ${LONGEST_KEY} characters`, {
        code: 'invalid_idempotency_key',
      });
    }
    const hashOf = () => sha256Hex(JSON.stringify(body));
    return project.database.exclusive(`push ${project.projectId} ${userId} ${key}`, async () => {
      const known = await find(project, userId, key);
      if (known && known.body_hash !== hashOf()) {
        throw invalid('A different request was sent with this Idempotency-Key: use a new key for each push', {
          code: 'idempotency_key_reused',
        });
      }
      if (known) return known.reply;
      const working = work();
      // Hashed while the work is under way.
      const body_hash = hashOf();
      const reply = JSON.stringify(await working);
      if (reply.length <= LONGEST_REPLY) await keep(project, { user_id: userId, key, body_hash, reply });
      return reply;
    });
  };
}

export type AnsweredOnce = ReturnType<typeof createAnsweredOnce>;
