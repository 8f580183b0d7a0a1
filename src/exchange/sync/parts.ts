import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { TemplateRegistry } from '../../world/definitions/index.ts';
import type { MoveMany } from '../../world/entities/index.ts';
import type { Mirror } from '../../world/mirror/index.ts';
import type { Replica } from './replica.ts';
import type { SyncedProject } from './synced-project.ts';
import type { RoundTally } from './tally.ts';
import type { EntityWriter } from './write-entity.ts';

export interface RoundParts {
  project: SyncedProject;
  replica: Replica;
  mirror: Mirror;
  templates: TemplateRegistry;
  moveMany: MoveMany;
  entities: EntityWriter;
  clock: Clock;
  log: Log;
}

export interface RunningParts extends RoundParts {
  tally: RoundTally;
  /** Scans the whole folder; at most once a round. */
  lookAgain(): Promise<unknown>;
}
