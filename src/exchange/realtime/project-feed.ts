import { messageOf } from '../../kit/errors.ts';
import type { EventOf } from '../../kit/event.ts';
import type { Log } from '../../kit/log.ts';
import type { Bus, EventOrigin, eventsMissed } from '../../platform/bus/bus.ts';
import type { Project } from '../../world/records/index.ts';
import type { LogPlace } from './cursor.ts';
import { cursorText } from './cursor.ts';
import { readEventPage, readLogEnd, withCursor } from './event-pages.ts';
import { LIVE_EVENTS, LOGGED_EVENTS } from './events.contract.ts';

/** One event for any number of readers; its texts are built once. */
export interface FeedEvent {
  /** Null for an event that is not logged. */
  seq: number | null;
  type: string;
  entityType: string | null;
  entityId: string | null;
  text: string;
  textWithCursor: string;
}

export interface FeedReader {
  event(event: FeedEvent): void;
  /** More happened than the log names. */
  reset(): void;
}

export interface ProjectFeed {
  project: Project;
  /** The position that readers have reached. */
  place(): LogPlace;
  readers: Set<FeedReader>;
  stop(): void;
}

const PAGE = 500;
/** The bus may lose messages; the log does not. */
const LOOK_EVERY_MS = 2_000;

/** Excludes mass changes: an import has many, and each would make every client reload. */
const FOLLOWED = [...LOGGED_EVENTS, ...LIVE_EVENTS];
type Followed = EventOf<(typeof FOLLOWED)[number] | typeof eventsMissed>;

const isLive = new Set<string>(LIVE_EVENTS.map(({ name }) => name));

/** Reads a project's log for all its clients in this process; the bus only says when to look. */
export async function openProjectFeed(project: Project, bus: Bus, log: Log): Promise<ProjectFeed> {
  const readers = new Set<FeedReader>();
  let place = await readLogEnd(project);
  let isReading = false;
  let isMore = false;

  async function readOn(): Promise<void> {
    const page = await readEventPage(project, cursorText(place), PAGE);
    place = page.place;
    if (page.reset) for (const reader of readers) reader.reset();
    for (const { seq, body } of page.events) {
      const event = feedEvent(body, seq, withCursor(body, { ...place, seq }));
      for (const reader of readers) reader.event(event);
    }
    if (page.hasMore) isMore = true;
  }

  async function wake(): Promise<void> {
    isMore = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isMore) {
        isMore = false;
        await readOn();
      }
    } catch (error) {
      log.warn(`the event log cannot be read: ${messageOf(error)}`);
    } finally {
      isReading = false;
    }
  }

  function hear(event: Followed, { projectId }: EventOrigin): void {
    if (projectId !== null && projectId !== project.projectId) return;
    if (isLive.has(event.type)) tellLive(JSON.stringify(event));
    else void wake();
  }

  function tellLive(text: string): void {
    const event = feedEvent(text, null, text);
    for (const reader of readers) reader.event(event);
  }

  const leave = bus.follow(project.tenantId, FOLLOWED, hear);
  const looks = setInterval(() => void wake(), LOOK_EVERY_MS).unref();
  return {
    project,
    place: () => place,
    readers,
    stop() {
      leave();
      clearInterval(looks);
    },
  };
}

export function feedEvent(text: string, seq: number | null, textWithCursor: string): FeedEvent {
  const event = JSON.parse(text) as { type: string; entity_type?: string; entity_id?: string };
  return {
    seq,
    type: event.type,
    entityType: event.entity_type ?? null,
    entityId: event.entity_id ?? null,
    text,
    textWithCursor,
  };
}
