import type { ReadDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import type { EntityRow, Project } from '../records/index.ts';
import type { ChangeSource, EntityState } from '../texts/index.ts';
import type { Origin } from './entity-commit.ts';

export interface PlannedChange {
  template: TemplateDefinition;
  entity_id: string;
  /** The present row; null for a new entity. */
  row: EntityRow | null;
  document: ReadDocument;
  /** As the document would be stored. */
  state: EntityState;
  stateOf(document: ReadDocument): EntityState;
  actor: string;
  source: ChangeSource;
  /** The plugin whose guest makes it. */
  guest: string | undefined;
  /** The document is that of an earlier version. */
  isRestored: boolean;
}

/** A change as a hook wants it. */
export interface Replacement {
  document: ReadDocument;
  /** Top-level fields, or `markdown_body`. */
  changed: readonly string[];
  /** The plugin that changed it. */
  via: string;
}

/** Inspects a change before anything is written, with the entity's lock held; it refuses by an `HttpError`. Null leaves it as it is. */
export type BeforeChange = (project: Project, change: PlannedChange) => Promise<Replacement | null>;

/** A change of one entity that a caller asked for, and no step of an operation. */
const isSave = ({ source, operation_id }: Pick<Origin, 'source' | 'operation_id'>): boolean =>
  operation_id === null && (source === 'api' || source === 'ai');

/**
 * Hooks run for single saves alone. Files that were changed outside, and what comes from another installation, are facts; an operation
 * is whole or not at all.
 */
export function createBeforeHooks() {
  const hooks: BeforeChange[] = [];
  return {
    add: (hook: BeforeChange): void => void hooks.push(hook),

    /** Each sees what the one before made of the change. */
    async run(
      project: Project,
      planned: Omit<PlannedChange, 'state'>,
      origin: Pick<Origin, 'source' | 'operation_id'>,
    ): Promise<{ document: ReadDocument; state: EntityState; replaced: Replacement[] }> {
      const replaced: Replacement[] = [];
      let { document } = planned;
      let state = planned.stateOf(document);
      if (!isSave(origin)) return { document, state, replaced };
      for (const hook of hooks) {
        const replacement = await hook(project, { ...planned, document, state });
        if (replacement === null) continue;
        replaced.push(replacement);
        document = replacement.document;
        state = planned.stateOf(document);
      }
      return { document, state, replaced };
    },
  };
}

export type BeforeHooks = ReturnType<typeof createBeforeHooks>;

/** The plugins that had a part in a change, as rows have them. */
export const viaOf = (
  by: readonly (string | undefined)[],
  replaced: readonly Replacement[],
): string | null => {
  const all = new Set([...by.filter((one) => one !== undefined), ...replaced.map((one) => one.via)]);
  return all.size === 0 ? null : [...all].join(',');
};
