import type { PlanName } from '../../access/plans.ts';
import type { RecordsDb } from './records.tables.ts';
import type { Project } from './scope.ts';

/** The room that a plan has for files (spec 1 §2.7, §8). */
export interface StorageRoom {
  /** 402 where the files of all the tenant's projects would take more with `bytes` more; asked before they are sent. */
  require(project: Project, plan: PlanName, bytes: number): Promise<void>;
  /** The same, and the room counts as used from then on, so that of many who ask at once none gets too much. */
  hold(project: Project, plan: PlanName, bytes: number): Promise<HeldRoom>;
}

/** Room that is kept for files on their way. */
export interface HeldRoom {
  /** In the transaction that stores the rows it was kept for: from its commit on these count instead. */
  settle(db: RecordsDb): Promise<void>;
  /** When the rows are stored elsewhere, or nothing came of it. Never rejects. */
  release(): Promise<void>;
}
