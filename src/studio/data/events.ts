import { readSocketMessage, type ServerEvent } from '../domain/server-events.ts';
import type { Timers } from './drafts/entity-api.ts';

/** The part of a `WebSocket` that is used. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((close: { code: number }) => void) | null;
}

export interface EventPage {
  events: readonly ServerEvent[];
  cursor: string;
  has_more: boolean;
  reset: boolean;
}

export interface PresenceSaid {
  status: 'online' | 'idle' | 'editing';
  entity_type?: string;
  entity_id?: string;
  field?: string;
}

export interface EventsOptions {
  project: string;
  makeTicket(): Promise<{ ticket: string }>;
  /** `path` begins with `/api/ws?`. */
  openSocket(path: string): Socket;
  /** `GET /api/events`. */
  readEvents(cursor: string): Promise<EventPage>;
  timers: Timers;
  random(): number;
}

export interface ConnectionStatus {
  isOpen: boolean;
  /** Since when it is not open; null while it is, and before the first opening. */
  awaySince: number | null;
}

/** A socket ends with its token after 15 minutes; the next one is open before. */
const RENEWED_AFTER_MS = 14 * 60_000;
const ANSWERS_WITHIN_MS = 10_000;
const ASKED_EVERY_MS = 25_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const SAYS_EVERY_MS = 1_000;

/** The events of a project, without a gap: each new socket goes on from the cursor of the last event. */
export function createEvents({ project, timers, random, ...options }: EventsOptions) {
  const listeners = new Set<(event: ServerEvent) => void>();
  const watchers = new Set<() => void>();
  const cancels = new Map<'pause' | 'renewal' | 'question' | 'saying', () => void>();
  let status: ConnectionStatus = { isOpen: false, awaySince: null };
  /** The one whose messages count, and one that is about to replace it or to become it. */
  let current: Socket | null = null;
  let next: Socket | null = null;
  let cursor: string | null = null;
  let attempt = 0;
  let failures = 0;
  let isReading = false;
  let said: PresenceSaid | null = null;
  let mayTell = true;

  function later(name: 'pause' | 'renewal' | 'question' | 'saying', ms: number, work: () => void): void {
    cancels.get(name)?.();
    cancels.set(name, timers.after(ms, work));
  }

  function show(isOpen: boolean): void {
    if (isOpen === status.isOpen) return;
    status = { isOpen, awaySince: isOpen ? null : timers.now() };
    for (const watcher of watchers) watcher();
  }

  function emit(event: ServerEvent): void {
    if (event.cursor !== undefined && !isReading) cursor = event.cursor;
    for (const listener of listeners) listener(event);
  }

  async function connect(): Promise<void> {
    attempt += 1;
    const mine = attempt;
    const isOver = () => mine !== attempt;
    try {
      const { ticket } = await options.makeTicket();
      if (isOver()) return;
      const query = new URLSearchParams({ ticket, project_id: project, cursor: cursor ?? '' });
      listenTo(options.openSocket(`/api/ws?${query}`));
    } catch {
      if (!isOver()) pause();
    }
  }

  function listenTo(socket: Socket): void {
    next = socket;
    socket.onmessage = ({ data }) => hear(socket, String(data));
    socket.onclose = () => lose(socket);
    later('question', ANSWERS_WITHIN_MS, () => drop(socket));
  }

  function hear(socket: Socket, text: string): void {
    const message = readSocketMessage(text);
    if (socket !== next && socket !== current) return;
    if (message.kind === 'ready') begin(socket, message.cursor);
    // Once another socket is asked to go on from the cursor, it alone moves the cursor.
    if (socket !== current || (next !== null && isLogged(message))) return;
    later('question', ASKED_EVERY_MS, () => ask(socket));
    if (message.kind === 'event') emit(message.event);
    else if (message.kind === 'catch-up') void catchUp(message.cursor);
  }

  const isLogged = (message: ReturnType<typeof readSocketMessage>): boolean =>
    message.kind === 'catch-up' || (message.kind === 'event' && message.event.cursor !== undefined);

  function begin(socket: Socket, from: string): void {
    const old = current;
    [current, next] = [socket, null];
    cursor ??= from;
    failures = 0;
    if (old) silence(old);
    later('renewal', RENEWED_AFTER_MS, () => void connect());
    tell();
    show(true);
  }

  function ask(socket: Socket): void {
    socket.send(JSON.stringify({ type: 'ping' }));
    later('question', ANSWERS_WITHIN_MS, () => drop(socket));
  }

  function drop(socket: Socket): void {
    silence(socket);
    lose(socket);
  }

  function silence(socket: Socket): void {
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  function lose(socket: Socket): void {
    if (socket !== current && socket !== next) return;
    for (const each of [current, next]) if (each) silence(each);
    current = null;
    next = null;
    show(false);
    pause();
  }

  function pause(): void {
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    failures += 1;
    const wait = FIRST_PAUSE_MS + random() * (longest - FIRST_PAUSE_MS);
    cancels.get('question')?.();
    cancels.get('renewal')?.();
    later('pause', wait, () => void connect());
  }

  /** Live events that arrive meanwhile may come twice, which marks the same things old twice. */
  async function catchUp(from: string): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      let page: EventPage;
      cursor = from;
      do {
        page = await options.readEvents(cursor);
        if (page.reset) emit({ type: 'reset' });
        for (const event of page.events) emit(event);
        cursor = page.cursor;
      } while (page.has_more);
    } catch {
      if (current) drop(current);
    } finally {
      isReading = false;
    }
  }

  function tell(): void {
    if (!mayTell || !said || !current) return;
    mayTell = false;
    const message = said;
    current.send(JSON.stringify({ type: 'presence', ...message }));
    later('saying', SAYS_EVERY_MS, () => {
      mayTell = true;
      if (said !== message) tell();
    });
  }

  return {
    start: (): void => void connect(),
    /** The network is back: without a pause. */
    retry(): void {
      if (current) return;
      cancels.get('pause')?.();
      void connect();
    },
    stop(): void {
      attempt += 1;
      for (const cancel of cancels.values()) cancel();
      for (const socket of [current, next]) if (socket) silence(socket);
      current = null;
      next = null;
      show(false);
    },
    /** Tells others the place of this person, at most once a second, and again over each new socket. */
    say(presence: PresenceSaid): void {
      said = presence;
      tell();
    },
    /** Each event, as it comes; returns how to stop. */
    listen(listener: (event: ServerEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribe(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    getSnapshot: (): ConnectionStatus => status,
  };
}
