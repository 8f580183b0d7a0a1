import type { Author } from '../../world/entities/index.ts';
import type { Project } from '../../world/records/index.ts';
import type { Sync } from '../sync/index.ts';
import type { ConflictAnswer } from './cloud-port.ts';
import type { CloudConflict } from './conflicts.ts';
import type { CloudLinks } from './links.service.ts';

export interface CloudSync extends Sync {
  links: CloudLinks;
  conflicts(project: Project): Promise<CloudConflict[]>;
  /** Resolves a conflict here; the cloud learns of it in the next round. 404, or 409 if it is resolved already. */
  resolve(
    project: Project,
    conflictId: string,
    choice: ConflictAnswer,
    author: Author,
  ): Promise<CloudConflict>;
}
