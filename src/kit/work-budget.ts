import { HttpError } from './errors.ts';

export interface WorkBudgetOptions {
  /** What all work of the process may hold at a time. */
  bytes: number;
  /** What the work of one tenant may hold of it. */
  bytesOfTenant: number;
  /** Why there is no room, for those who are refused; it is memory unless given. */
  refusal?: string;
}

export interface HoldOptions {
  /** So long the caller may wait for room; 5 s unless given. */
  waitMs?: number;
}

/** Resolves, once there is room, to what gives the bytes back. 429 where the tenant has no room, 503 where the process has none. */
export type HoldBytes = (tenantId: string, bytes: number, options?: HoldOptions) => Promise<() => void>;

interface Waiter {
  tenantId: string;
  bytes: number;
  start(): void;
}

const PATIENCE_MS = 5_000;
/** Those beyond are refused at once. */
const MOST_WAITING = 500;
const RETRY_AFTER_SECONDS = 5;

/**
 * Memory for work that callers ask for: what would not fit waits a little, first come first served, and is refused then.
 * Work that wants more than a tenant may have gets all of it, so that it runs alone.
 */
export function createWorkBudget({
  bytes: mostBytes,
  bytesOfTenant,
  refusal = 'The service is at work on all that its memory has room for',
}: WorkBudgetOptions): HoldBytes {
  const heldBy = new Map<string, number>();
  const waiting: Waiter[] = [];
  let held = 0;

  const shareOf = (tenantId: string): number => heldBy.get(tenantId) ?? 0;
  const tenantHasRoom = ({ tenantId, bytes }: Waiter): boolean => shareOf(tenantId) + bytes <= bytesOfTenant;
  const hasRoom = (waiter: Waiter): boolean => held + waiter.bytes <= mostBytes && tenantHasRoom(waiter);

  function change(tenantId: string, bytes: number): void {
    held += bytes;
    const share = shareOf(tenantId) + bytes;
    if (share === 0) heldBy.delete(tenantId);
    else heldBy.set(tenantId, share);
  }

  /** A tenant that has no room keeps nobody else waiting; work that the process has no room for keeps what came later. */
  function startThoseThatFit(): void {
    const full = new Set<string>();
    for (const waiter of [...waiting]) {
      if (full.has(waiter.tenantId)) continue;
      if (!tenantHasRoom(waiter)) full.add(waiter.tenantId);
      else if (hasRoom(waiter)) waiter.start();
      else return;
    }
  }

  const refusalOf = (waiter: Waiter): HttpError =>
    tenantHasRoom(waiter)
      ? busy(503, refusal, 'busy')
      : busy(429, 'Your other requests are still being worked on', 'too_much_at_once');

  function hold(waiter: Omit<Waiter, 'start'>): () => void {
    const { tenantId, bytes } = waiter;
    change(tenantId, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      change(tenantId, -bytes);
      startThoseThatFit();
    };
  }

  return (tenantId, wanted, { waitMs = PATIENCE_MS } = {}) => {
    const bytes = Math.min(wanted, bytesOfTenant, mostBytes);
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const leave = () => {
      clearTimeout(timer);
      waiting.splice(waiting.indexOf(waiter), 1);
    };
    const waiter: Waiter = {
      tenantId,
      bytes,
      start() {
        leave();
        resolve(hold(waiter));
      },
    };
    const timer = setTimeout(() => {
      leave();
      reject(refusalOf(waiter));
      startThoseThatFit();
    }, waitMs);
    waiting.push(waiter);
    startThoseThatFit();
    if (waiting.length > MOST_WAITING && waiting.includes(waiter)) {
      leave();
      reject(refusalOf(waiter));
    }
    return promise;
  };
}

const busy = (status: 429 | 503, what: string, code: string): HttpError =>
  new HttpError(status, `${what}: try again in ${RETRY_AFTER_SECONDS} seconds`, {
    code,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
