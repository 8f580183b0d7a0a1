import { HttpError } from './errors.ts';

export interface WorkBudgetOptions {
  bytes: number;
  bytesOfTenant: number;
  /** Shown to refused callers; memory by default. */
  refusal?: string;
}

export interface HoldOptions {
  /** 5 s by default. */
  waitMs?: number;
}

/** Resolves to a function that releases the bytes. 429 if the tenant has no room, 503 if the process has none. */
export type HoldBytes = (tenantId: string, bytes: number, options?: HoldOptions) => Promise<() => void>;

interface Waiter {
  tenantId: string;
  bytes: number;
  start(): void;
}

const PATIENCE_MS = 5_000;
/** Further callers are refused at once. */
const MOST_WAITING = 500;
const RETRY_AFTER_SECONDS = 5;

/**
 * Memory for work that callers request: work that does not fit waits briefly, first come first served, and is then
 * refused. Work that needs more than a tenant may have gets the tenant's whole share, so that it runs alone.
 */
export function createWorkBudget({
  bytes: mostBytes,
  bytesOfTenant,
  refusal = 'The service is busy: its memory is fully used by other work',
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

  /** A tenant without room delays nobody else; work that the process has no room for delays all later work. */
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
