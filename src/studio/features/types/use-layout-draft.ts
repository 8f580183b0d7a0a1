import { useMemo, useState } from 'react';
import type { Layout } from '../../../content/layout/index.ts';
import type { TypeLayout } from '../../data/layouts.ts';
import type { FormField } from '../../domain/form-field.ts';
import { fittingLayout } from '../../domain/layout-edit.ts';

interface Edited {
  /** The layout as it was read when the editing began. */
  base: TypeLayout;
  layout: Layout;
}

/** A layout as it was saved, with what the user has changed and not saved. */
export function useLayoutDraft(read: TypeLayout, fields: readonly FormField[]) {
  const [edited, setEdited] = useState<Edited | null>(null);
  const saved = useMemo(() => fittingLayout(read, new Set(fields.map(({ name }) => name))), [read, fields]);
  return {
    layout: edited?.layout ?? saved.layout,
    base: edited?.base ?? read,
    /** Names in the file that have no place in a form. */
    left: saved.left,
    isChanged: edited !== null,
    isStale: edited !== null && edited.base.checksum !== read.checksum,
    change: (layout: Layout) => setEdited((now) => ({ base: now?.base ?? read, layout })),
    drop: () => setEdited(null),
  };
}
