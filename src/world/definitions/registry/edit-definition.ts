import { checksumOf } from '../../../kit/crypto.ts';
import type { HeaderValue } from '../../../kit/http/etag.ts';
import type { RouteRequest } from '../../../kit/route.ts';
import type { Project } from '../../records/index.ts';
import { type FileChange, saveFile } from '../files/save-file.ts';
import { readPresent } from '../files/text-file.ts';
import type { DefinitionKind } from './definition-kind.ts';
import type { TemplateRegistry } from './registry.ts';
import { definitionAt, type TemplateSet } from './template-set.ts';

export interface EditContext {
  actor: string;
  ifMatch: HeaderValue;
}

export const contextOf = ({ actor, headers }: Pick<RouteRequest, 'actor' | 'headers'>): EditContext => ({
  actor,
  ifMatch: headers['if-match'],
});

/** Which definition to change, and how, given those in force. */
export interface DefinitionEdit<File> {
  path(set: TemplateSet): string;
  /** Where to create the file if there is none, unless at `path`. */
  newPath?: string;
  change(set: TemplateSet): FileChange<File>;
}

/** Held while a project's definitions are changed. */
export const definitionsLock = (project: Project): string => `definition-edits ${project.projectId}`;

/** Changes definitions of one kind, and resolves once the change is in force. False if nothing was written. */
export function createDefinitionEditor<File extends { checksum: string }>(
  registry: TemplateRegistry,
  kind: DefinitionKind<File>,
) {
  async function look(project: Project, set: TemplateSet, edit: DefinitionEdit<File>) {
    const path = edit.path(set);
    const present = await readPresent(project.files, path, kind);
    return { set, known: definitionAt(set, path), path: present ? path : (edit.newPath ?? path), present };
  }

  return (project: Project, edit: DefinitionEdit<File>, actor: string): Promise<boolean> =>
    project.database.exclusive(definitionsLock(project), async () => {
      let place = await look(project, await registry.of(project), edit);
      // An outside change is read first, so that its text is kept.
      if (place.known?.checksum !== place.present?.checksum)
        place = await look(project, (await registry.reload(project)).set, edit);
      const written = await saveFile(project.files, kind, place, edit.change(place.set));
      if (written) await registry.reload(project, { checksum: checksumOf(written.text), actor });
      return written !== undefined;
    });
}
