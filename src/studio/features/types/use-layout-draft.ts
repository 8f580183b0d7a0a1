import { useMemo } from 'react';
import type { Layout } from '../../../content/layout/index.ts';
import { setLayoutDraft, type TypeLayout, useDraftOfLayout } from '../../data/layout-drafts.ts';
import { useWorld } from '../../data/world.tsx';
import type { FormField } from '../../domain/form-field.ts';
import { fittingLayout } from '../../domain/layout-edit.ts';

/** A layout as it was saved, with what the user has changed and not saved. */
export function useLayoutDraft(read: TypeLayout, fields: readonly FormField[]) {
  const { project } = useWorld();
  const type = read.entity_type;
  const draft = useDraftOfLayout(project, type);
  const saved = useMemo(() => fittingLayout(read, new Set(fields.map(({ name }) => name))), [read, fields]);
  const base = draft?.base ?? read;
  return {
    layout: draft?.layout ?? saved.layout,
    base,
    /** Names in the file that have no place in a form. */
    left: saved.left,
    isChanged: draft !== null,
    isStale: draft !== null && base.checksum !== read.checksum,
    change: (layout: Layout) => setLayoutDraft(project, type, { base, layout }),
    drop: () => setLayoutDraft(project, type, null),
  };
}
