import type { Static } from 'typebox';
import type { Skill } from '../../content/skills/index.ts';
import type { Contract } from '../../kit/contract.ts';
import type { RouteCaller, RouteCallParts } from '../../kit/http/route-calls.ts';
import type { OperationReport } from '../../world/changesets/index.ts';
import type { ChangeSets, NewProposal, Proposal } from '../../world/proposals/index.ts';

/** One connection of a client, from `initialize` to its end, over however many requests. */
export interface AgentSession {
  id: string;
  /** The name that the client gives itself. */
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

export type ProposedChange = Omit<NewProposal, 'origin' | 'findings' | 'change_set_id'> & {
  /** Names the change set, if this is its first change. */
  about?: string | undefined;
};

/** The changes of a session, as one change set. */
export interface AgentChanges {
  propose(change: ProposedChange): Promise<Proposal>;
  /** Closes the set: for people to review, or accepted at once by a key that may. 409 if nothing was changed. */
  finish(): Promise<
    Pick<
      Awaited<ReturnType<ChangeSets['get']>>,
      'change_set_id' | 'title' | 'status' | 'counts' | 'findings' | 'canon_findings'
    > & { operation: OperationReport | null }
  >;
}

/** The skills that the caller may use, in the order of a prompt. */
export interface AgentSkills {
  list(): Promise<Pick<Skill, 'skill_id' | 'name' | 'description'>[]>;
  /** A skill as a model is told it; null if the caller may use no such skill. */
  text(skillId: string): Promise<string | null>;
}

/** A client for the time of one message: who it speaks for, and what it may ask. */
export interface Agent {
  caller: RouteCaller;
  session: AgentSession;
  changes: AgentChanges;
  skills: AgentSkills;
  /** Asks a route in the caller's name. */
  ask<C extends Contract>(contract: C, parts?: RouteCallParts<C>): Promise<Static<C['reply']>>;
}
