import type { EntityState } from '../../domain/drafts/draft.ts';
import type { CreateBody, SaveBody } from '../../domain/drafts/outgoing.ts';

export interface EntityAddress {
  project: string;
  type: string;
  id: string;
}

export interface SendOptions {
  /** The request outlives the page. */
  keepalive?: boolean;
}

/**
 * The calls that drafts make to the service. A refusal rejects with the shape of `ClientError` (`Refusal`), no answer
 * with anything else.
 */
export interface EntityApi {
  get(address: EntityAddress): Promise<EntityState>;
  save(
    address: EntityAddress,
    body: SaveBody,
    options?: SendOptions,
  ): Promise<EntityState & { merged?: boolean }>;
  create(address: Omit<EntityAddress, 'id'>, body: CreateBody, options?: SendOptions): Promise<EntityState>;
}

/** Work under a name is done by one tab at a time (`navigator.locks`). */
export interface Locks {
  run(name: string, work: () => Promise<void>): Promise<void>;
}

export interface Timers {
  now(): number;
  /** Returns how to cancel it. */
  after(ms: number, work: () => void): () => void;
}
