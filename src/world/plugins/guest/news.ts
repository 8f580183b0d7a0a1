import { changedFiles, eventsAfter, type Project, type RecordsDb } from '../../records/index.ts';

const MOST_READ = 100;

interface ToldEvent {
  entity_type: string;
  entity_id: string;
  action: 'create' | 'delete';
}

/** An event that plugins are told; null for others. */
export function toldEvent(body: string): ToldEvent | null {
  const event = JSON.parse(body) as { type: string } & ToldEvent;
  const isTold = event.type === 'entity_updated' && (event.action === 'create' || event.action === 'delete');
  return isTold ? event : null;
}

/** True if something happened after a number that a plugin may want to hear or check. */
export const hasNews = (project: Project, after: number): Promise<boolean> =>
  project.database.read(async (db: RecordsDb) => {
    if (await changedFiles(db, project, after).select('seq').limit(1).executeTakeFirst()) return true;
    const events = await eventsAfter(db, project, after, MOST_READ);
    return (
      events.length === MOST_READ || events.some(({ body }) => body === null || toldEvent(body) !== null)
    );
  });
