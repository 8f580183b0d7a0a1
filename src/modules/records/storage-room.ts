import type { PlanName } from '../../content/plans.ts';
import type { Project } from './scope.ts';

/** The room that a plan has for files (spec 1 §2.7, §8). */
export interface StorageRoom {
  /** 402 where the files of all the tenant's projects would take more with `bytes` more; asked before they are stored. */
  require(project: Project, plan: PlanName, bytes: number): Promise<void>;
}
