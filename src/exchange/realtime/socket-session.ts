import { CLOSE, type Connection, type ConnectRequest } from '../../kit/connection.ts';
import { HttpError } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Authenticate, Principal } from '../../kit/principal.ts';
import type { Projects } from '../../world/projects/index.ts';
import { cursorText } from './cursor.ts';
import { createEventSender } from './event-sender.ts';
import type { Feeds } from './feeds.ts';
import { type ClientMessage, readMessage } from './messages.ts';
import type { Attendance, Presence } from './presence.service.ts';
import { wantsOf } from './subscription.ts';
import type { Tickets } from './tickets.ts';

export interface SessionTools {
  authenticate: Authenticate;
  projects: Projects;
  feeds: Feeds;
  tickets: Tickets;
  presence: Presence;
  log: Log;
  defaultProject(): string;
  /** False if the user has too many connections. */
  admit(userId: string): boolean;
  dismiss(userId: string): void;
}

/** How long a connection may stay open without authenticating. */
const AUTH_WITHIN_MS = 10_000;
const MESSAGES_AT_ONCE = 60;
const MESSAGES_WITHIN_MS = 10_000;
const LONGEST_REASON = 120;

export interface SocketSession {
  /** Closes the connection if its token is no longer valid. */
  recheck(): Promise<void> | void;
}

/** Null for our own failures, which do not invalidate the token. */
function closeCodeOf(error: unknown): number | null {
  if (!(error instanceof HttpError) || error.status >= 500) return null;
  return error.status === 404 ? CLOSE.notFound : CLOSE.unauthenticated;
}

/** One WebSocket from opening to close (spec 2 §5). */
export function createSocketSession(
  connection: Connection,
  { query, bearer }: ConnectRequest,
  tools: SessionTools,
): SocketSession {
  const sender = createEventSender(connection, query.cursor);
  const ends: (() => void)[] = [];
  let principal: Principal | null = null;
  let attendance: Attendance | null = null;
  let token = '';
  let isOver = false;
  let isEntering = false;
  let messages = { count: 0, sinceMs: 0 };

  function close(code: number, reason: string): void {
    if (isOver) return;
    connection.close(code, reason.slice(0, LONGEST_REASON));
    end();
  }

  function end(): void {
    isOver = true;
    sender.end();
    for (const stop of ends.splice(0)) stop();
  }

  function refuse(error: unknown): void {
    const code = closeCodeOf(error);
    if (code === null) tools.log.warn(`a WebSocket could not be opened: ${String(error)}`);
    close(code ?? CLOSE.tryLater, code === null || !(error instanceof Error) ? 'try again' : error.message);
  }

  async function enter(given: string): Promise<void> {
    if (isEntering) return;
    isEntering = true;
    try {
      const who = await tools.authenticate(given);
      // A feed needs only the database, so the project may be closed meanwhile.
      const project = await tools.projects.use(
        who.tenantId,
        query.project_id ?? tools.defaultProject(),
        async (found) => found,
      );
      if (isOver) return;
      if (!tools.admit(who.userId)) {
        close(CLOSE.tooMany, 'you have too many connections open');
        return;
      }
      ends.push(() => tools.dismiss(who.userId));
      [principal, token] = [who, given];
      clearTimeout(deadline);
      const { feed, leave } = await tools.feeds.join(project, sender.reader);
      if (isOver) {
        leave();
        return;
      }
      ends.push(leave);
      const cursor = query.cursor || cursorText(feed.place());
      say({ type: 'ready', user_id: who.userId, project_id: project.projectId, cursor });
      attendance = tools.presence.arrive(who, project.projectId, query.client ?? 'web');
      ends.push(attendance.leave);
      await sender.start(feed);
    } catch (error) {
      refuse(error);
    }
  }

  const say = (message: object) => connection.send(JSON.stringify(message));

  function isTooFast(): boolean {
    const now = performance.now();
    if (now - messages.sinceMs > MESSAGES_WITHIN_MS) messages = { count: 0, sinceMs: now };
    messages.count += 1;
    return messages.count > MESSAGES_AT_ONCE;
  }

  async function renew(given: string, who: Principal): Promise<void> {
    // From here on, answers about the previous token are ignored.
    token = given;
    try {
      const next = await tools.authenticate(given);
      if (next.userId !== who.userId || next.tenantId !== who.tenantId)
        close(CLOSE.unauthenticated, 'that token is somebody else’s: open another connection');
      else principal = next;
    } catch (error) {
      refuse(error);
    }
  }

  function obey(message: Exclude<ClientMessage, { type: 'auth' }>): void {
    if (message.type === 'ping') say({ type: 'pong' });
    else if (message.type === 'presence') attendance?.say(message);
    else {
      sender.want(wantsOf(message));
      say({ ...message, type: 'subscribed' });
    }
  }

  /** Authenticated, or about to be: messages sent right after a token count as well. */
  const isKnown = (): boolean => principal !== null || isEntering || query.ticket !== undefined;

  function receive(text: string): void {
    if (isOver) return;
    if (isTooFast()) {
      close(CLOSE.policy, 'too many messages');
      return;
    }
    try {
      const message = readMessage(text);
      if (message.type === 'auth') void (principal ? renew(message.token, principal) : enter(message.token));
      else if (isKnown()) obey(message);
      else close(CLOSE.unauthenticated, 'the first message must be {type: "auth", token}');
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (principal === null) close(CLOSE.unauthenticated, error.message);
      else say({ type: 'error', detail: error.message, code: error.extras.code });
    }
  }

  async function enterByTicket(ticket: string): Promise<void> {
    try {
      const found = await tools.tickets.take(ticket);
      if (found === null) close(CLOSE.unauthenticated, 'the ticket is unknown, used or too old');
      else await enter(found);
    } catch (error) {
      refuse(error);
    }
  }

  const deadline = setTimeout(
    () => close(CLOSE.unauthenticated, 'no token within 10 seconds'),
    AUTH_WITHIN_MS,
  );
  ends.push(() => clearTimeout(deadline));
  connection.onMessage(receive);
  connection.onClose(() => {
    if (!isOver) end();
  });
  const given = query.token ?? bearer;
  if (query.ticket !== undefined) void enterByTicket(query.ticket);
  else if (given !== null) void enter(given);

  return {
    recheck() {
      if (principal === null || isOver) return;
      sender.goOn();
      attendance?.stay();
      return renewQuietly(principal);
    },
  };

  /** A short outage of the service must not end the connection. */
  async function renewQuietly(who: Principal): Promise<void> {
    const looked = token;
    const isOld = () => token !== looked;
    try {
      const next = await tools.authenticate(looked);
      if (isOld()) return;
      if (next.tenantId !== who.tenantId) close(CLOSE.unauthenticated, 'you belong to another tenant now');
      else principal = next;
    } catch (error) {
      if (!isOld() && closeCodeOf(error) !== null) refuse(error);
    }
  }
}
