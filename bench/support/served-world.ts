import { join } from 'node:path';
import { copyRows } from '../floors/rows-database.ts';
import { world } from '../world.ts';
import { type Child, startChild } from './child.ts';
import { freshFolder } from './fresh-folder.ts';
import { type Service, startService } from './service.ts';
import { firstSync } from './sync.ts';

export interface Served {
  ours: Service;
  floor: { url: string; child: Child };
  stop(): Promise<void>;
}

/** A world served by the service and, from a copy of its replies, by the floor. */
export async function serveWorld(count: number): Promise<Served> {
  const content = world(count);
  const first = await startService(content);
  await firstSync(first);
  const rows = join(freshFolder('floor'), 'rows.db');
  copyRows(join(first.dataDir, 'canonry.db'), rows);
  await first.stop();
  const ours = await startService(content, { dataDir: first.dataDir });
  await firstSync(ours);
  const child = startChild([join(import.meta.dirname, '..', 'floors', 'rows-server.ts'), rows]);
  const url = await child.says(/listening on (http:\S+)/);
  return {
    ours,
    floor: { url, child },
    async stop() {
      await Promise.all([ours.stop(), child.stop()]);
    },
  };
}

/** Throws unless both answer a request with the same bytes. */
export async function requireSameReply({ ours, floor }: Served, path: string): Promise<void> {
  const [one, other] = await Promise.all(
    [ours.url, floor.url].map(async (url) => {
      const reply = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${ours.token}` } });
      return reply.text();
    }),
  );
  if (one !== other)
    throw new Error(`${path}: the replies differ\n${one?.slice(0, 200)}\n${other?.slice(0, 200)}`);
}
