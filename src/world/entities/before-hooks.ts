import type { ReadDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import type { EntityRow, Project } from '../records/index.ts';
import type { ChangeSource } from '../texts/index.ts';

export interface PlannedChange {
  template: TemplateDefinition;
  entity_id: string;
  /** The present row; null for a new entity. */
  row: EntityRow | null;
  document: ReadDocument;
  actor: string;
  source: ChangeSource;
}

/** Inspects a change before anything is written, with the entity's lock held. It refuses by an `HttpError`. */
export type BeforeChange = (project: Project, change: PlannedChange) => Promise<void>;

/** None runs for files changed outside, which are facts, nor for deletions. */
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
