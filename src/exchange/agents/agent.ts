import type { Static } from 'typebox';
import type { Contract } from '../../kit/contract.ts';
import type { RouteCaller, RouteCallParts } from '../../kit/http/route-calls.ts';

/** One connection of a client, from `initialize` to its end, over however many requests. */
export interface AgentSession {
  id: string;
  /** What the client calls itself. */
  client: string;
  /** The change set that holds the session's changes; null before the first one. */
  changeSetId(): Promise<string | null>;
  keepChangeSet(changeSetId: string | null): Promise<void>;
  /** Addresses of the resources whose changes the client wants to hear of. */
  subscriptions(): Promise<string[]>;
  /** 409 if there are too many. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
}

/** A client for the time of one message: who it speaks for, and what it may ask. */
export interface Agent {
  caller: RouteCaller;
  session: AgentSession;
  /** Asks a route in the caller's name. */
  ask<C extends Contract>(contract: C, parts?: RouteCallParts<C>): Promise<Static<C['reply']>>;
}
