import { eventsAfter, logEnd, type Project, type RecordsDb } from '../../world/records/index.ts';
import { cursorText, type LogPlace, seqOf } from './cursor.ts';

/** Part of a project's log, as JSON texts that are ready to send. */
export interface EventPage {
  events: { seq: number; body: string }[];
  /** Where to go on. */
  place: LogPlace;
  hasMore: boolean;
  /** More happened than the log can name: everything is to be read anew, and then the log from `place` on. */
  reset: boolean;
}

/** The present end of a project's log. */
export const readLogEnd = (project: Project): Promise<LogPlace> =>
  project.database.read((db: RecordsDb) => logEnd(db, project));

/** The events after a cursor (none given: none), at most `limit`. */
export const readEventPage = (
  project: Project,
  cursor: string | undefined,
  limit: number,
): Promise<EventPage> =>
  project.database.read(async (db: RecordsDb) => {
    // First, so that whatever commits between the two reads comes after this place.
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

/** An event's JSON with the cursor after it, for who wants to go on from there. */
export const withCursor = (body: string, place: LogPlace): string =>
  `{"cursor":"${cursorText(place)}",${body.slice(1)}`;
