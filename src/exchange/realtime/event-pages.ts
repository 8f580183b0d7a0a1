import { eventsAfter, logEnd, type Project, type RecordsDb } from '../../world/records/index.ts';
import { cursorText, type LogPlace, seqOf } from './cursor.ts';

/** Part of the log, as JSON texts ready to send. */
export interface EventPage {
  events: { seq: number; body: string }[];
  place: LogPlace;
  hasMore: boolean;
  /** More happened than the log can name: reload everything, then read the log from `place` on. */
  reset: boolean;
}

export const readLogEnd = (project: Project): Promise<LogPlace> =>
  project.database.read((db: RecordsDb) => logEnd(db, project));

/** At most `limit` events after the cursor; none without a cursor. */
export const readEventPage = (
  project: Project,
  cursor: string | undefined,
  limit: number,
): Promise<EventPage> =>
  project.database.read(async (db: RecordsDb) => {
    // Read first, so that a commit between the two reads comes after this position.
    const end = await logEnd(db, project);
    const nothing = { events: [], place: end, hasMore: false };
    if (cursor === undefined) return { ...nothing, reset: false };
    const after = seqOf(cursor, end);
    const rows = after === null ? null : await eventsAfter(db, project, after, limit);
    const events = rows?.flatMap(({ seq, body }) => (body === null ? [] : [{ seq, body }]));
    if (rows === null || events === undefined || events.length < rows.length) {
      return { ...nothing, reset: true };
    }
    const hasMore = rows.length === limit;
    const last = rows.at(-1)?.seq ?? 0;
    const seq = hasMore ? last : Math.max(last, end.seq);
    return { events, place: { since: end.since, seq }, hasMore, reset: false };
  });

/** The event's JSON with the cursor to continue from. */
export const withCursor = (body: string, place: LogPlace): string =>
  `{"cursor":"${cursorText(place)}",${body.slice(1)}`;
