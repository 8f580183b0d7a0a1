import type { Connection } from '../../kit/connection.ts';
import { cursorText } from './cursor.ts';
import { readEventPage, withCursor } from './event-pages.ts';
import { type FeedEvent, type FeedReader, feedEvent, type ProjectFeed } from './project-feed.ts';
import { type Wants, wantsAll } from './subscription.ts';

/** A reader with more unread bytes is slow: it gets nothing until it has read nearly all. */
const MOST_WAITING = 1024 * 1024;
const LITTLE_WAITING = 64 * 1024;
const PAGE = 200;
/** Readers further behind use GET /api/events. */
const MOST_PAGES = 5;

/**
 * Sends a project's events to one connection, beginning after the cursor `from`. A client that gave one also gets each
 * event's cursor. Logged events arrive once and in order, or the client is told where to catch up.
 */
export function createEventSender(connection: Connection, from: string | undefined) {
  let feed: ProjectFeed | null = null;
  let wants: Wants = wantsAll;
  /** The last event sent or skipped. */
  let seen = 0;
  let isLive = false;
  let isSlow = false;
  let isEnded = false;

  const cursorOf = (seq: number): string => (feed ? cursorText({ ...feed.place(), seq }) : '');
  const send = (event: FeedEvent) => connection.send(from === undefined ? event.text : event.textWithCursor);
  const tellToCatchUp = (cursor: string) => connection.send(JSON.stringify({ type: 'catch_up', cursor }));

  function goOn(): void {
    if (!isSlow || feed === null || connection.waiting() > LITTLE_WAITING) return;
    isSlow = false;
    tellToCatchUp(cursorOf(seen));
    seen = feed.place().seq;
  }

  const reader: FeedReader = {
    event(event) {
      if (!isLive) return;
      goOn();
      if (isSlow || (event.seq !== null && event.seq <= seen)) return;
      if (connection.waiting() > MOST_WAITING) {
        isSlow = true;
        return;
      }
      if (event.seq !== null) seen = event.seq;
      if (wants(event)) send(event);
    },
    reset() {
      if (!isLive || isSlow || feed === null) return;
      tellToCatchUp(cursorOf(seen));
      seen = feed.place().seq;
    },
  };

  /** Must run synchronously after the last page, or an event could fall in between. */
  function goLive(after: number): void {
    seen = after;
    isLive = true;
  }

  /** Sends logged events until it has reached the feed. */
  async function catchUp(source: ProjectFeed, cursor: string): Promise<void> {
    let at = cursor;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page = await readEventPage(source.project, at, PAGE);
      if (isEnded) return;
      if (page.reset) break;
      for (const { seq, body } of page.events) sendLogged(source, seq, body);
      at = cursorText(page.place);
      if (page.hasMore || page.place.seq < source.place().seq) continue;
      goLive(page.place.seq);
      return;
    }
    tellToCatchUp(at);
    goLive(source.place().seq);
  }

  function sendLogged(source: ProjectFeed, seq: number, body: string): void {
    const event = feedEvent(body, seq, withCursor(body, { ...source.place(), seq }));
    if (wants(event)) send(event);
  }

  return {
    reader,
    async start(source: ProjectFeed): Promise<void> {
      feed = source;
      if (from) await catchUp(source, from);
      else goLive(source.place().seq);
    },
    want(next: Wants): void {
      wants = next;
    },
    /** Resumes a slow reader once it has caught up. */
    goOn,
    end(): void {
      isEnded = true;
      isLive = false;
    },
  };
}
