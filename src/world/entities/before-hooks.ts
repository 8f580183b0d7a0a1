import type { ReadDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import type { EntityRow, Project } from '../records/index.ts';
import type { ChangeSource } from '../texts/index.ts';

/** A change of one entity that is about to be written. */
export interface PlannedChange {
  template: TemplateDefinition;
  entity_id: string;
  /** What it is now; null for a new entity. */
  row: EntityRow | null;
  /** What the file is to say. */
  document: ReadDocument;
  actor: string;
  source: ChangeSource;
}

/** Looks at a change before anything is written, with the entity's lock held. It refuses by an `HttpError`. */
export type BeforeChange = (project: Project, change: PlannedChange) => Promise<void>;

/**
 * Those who look at changes before they are written, in the order in which they came. Files that were changed outside are
 * facts, so nobody is asked about them; a deletion has no new state to look at.
 */
export function createBeforeHooks() {
  const hooks: BeforeChange[] = [];
  return {
    add: (hook: BeforeChange): void => void hooks.push(hook),
    any: (): boolean => hooks.length > 0,
    async run(project: Project, change: PlannedChange): Promise<void> {
      for (const hook of hooks) await hook(project, change);
    },
  };
}

export type BeforeHooks = ReturnType<typeof createBeforeHooks>;
