import { useEffect, useState } from 'react';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { goTo } from '../../kit/router/router.ts';
import { PageSkeleton } from '../../kit/ui/page-skeleton.tsx';

interface NewEntityProps {
  type: string;
  /** A proposed name, such as the text that was typed into the palette. */
  name: string;
}

/** Begins an entity that the service does not know yet, and leads to its page, where it is named and saved. */
export function NewEntity({ type, name }: NewEntityProps) {
  const { project, can } = useWorld();
  const mayMake = can('create_entities');
  const workspace = useWorkspace();
  const [draft, setDraft] = useState<EntityDraft | null>(null);

  useEffect(() => {
    if (workspace && mayMake) setDraft((known) => known ?? workspace.drafts.create(project, type));
  }, [workspace, mayMake, project, type]);
  useEffect(() => {
    if (!mayMake) goTo(addressOf({ screen: 'list', project, type }), { replace: true });
  }, [mayMake, project, type]);
  useEffect(() => {
    if (!draft) return;
    if (name !== '') draft.edit('name', name);
    const { id } = draft.getSnapshot().draft.key;
    goTo(addressOf({ screen: 'entity', project, type, id }), { replace: true });
  }, [draft, name, project, type]);
  return <PageSkeleton />;
}
