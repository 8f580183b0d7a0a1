import type { Author } from '../../world/entities/index.ts';
import type { Project } from '../../world/records/index.ts';
import type { Sync } from '../sync/index.ts';
import type { CloudConflict, ResolveChoice } from './conflicts.ts';
import type { CloudLinks } from './links.service.ts';

/** An installation's side of replication. */
export interface CloudSync extends Sync {
  links: CloudLinks;
  conflicts(project: Project): Promise<CloudConflict[]>;
  /** Settles a conflict here; the cloud is told with the next round. 404, 409 when it is settled already. */
  resolve(
    project: Project,
    conflictId: string,
    choice: ResolveChoice,
    author: Author,
  ): Promise<CloudConflict>;
}
