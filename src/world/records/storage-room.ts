import type { PlanName } from '../../access/plans.ts';
import type { RecordsDb } from './records.tables.ts';
import type { Project } from './scope.ts';

/** The storage that a plan allows for files (spec 1 §2.7, §8). */
export interface StorageRoom {
  /** 402 if `bytes` more would exceed the limit over all the tenant's projects; for a check before an upload. */
  require(project: Project, plan: PlanName, bytes: number): Promise<void>;
  /** The same, and reserves the bytes from then on, so that concurrent uploads cannot exceed the limit together. */
  hold(project: Project, plan: PlanName, bytes: number): Promise<HeldRoom>;
}

export interface HeldRoom {
  /** Ends the reservation in the transaction that stores the rows: from its commit on the rows count instead. */
  settle(db: RecordsDb): Promise<void>;
  /** Ends the reservation if the rows are stored elsewhere or not at all. Never rejects. */
  release(): Promise<void>;
}
