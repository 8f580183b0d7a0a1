import { useEffect, useState } from 'react';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useDraftPart, useEntityDraft } from '../../data/entity.ts';
import { isRefusal } from '../../data/errors.ts';
import { onEntityMoved } from '../../data/workspace.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf, type EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { LinkButton } from '../../kit/ui/link.tsx';
import { PageSkeleton } from '../../kit/ui/page-skeleton.tsx';
import { entityTexts } from './entity-texts.ts';
import { OpenEntity } from './open-entity.tsx';
import { preloadEntityBody } from './text/late-entity-body.tsx';

/** A new entity that gets its id while somebody types in it stays the same page, with cursor and focus. */
export function EntityPage({ place }: { place: EntityPlace }) {
  const { project, type, id } = place;
  const [moved, setMoved] = useState<{ from: string; to: string } | null>(null);
  useEffect(() => onEntityMoved((from, to) => from === id && setMoved({ from, to })), [id]);
  useEffect(() => {
    if (moved?.from === id)
      goTo(addressOf({ screen: 'entity', project, type, id: moved.to }), { replace: true });
  }, [moved, project, type, id]);
  const first = moved?.to === id ? moved.from : id;
  return <EntityAt key={`${type}:${first}`} place={place} />;
}

function EntityAt({ place }: { place: EntityPlace }) {
  const { project, type, id, tab = 'text' } = place;
  useEffect(() => {
    if (tab === 'text') preloadEntityBody();
  }, [tab]);
  const opened = useEntityDraft({ project, type, id });
  const isForgotten = opened.state === 'forgotten';
  useEffect(() => {
    if (isForgotten) goTo(addressOf({ screen: 'new', project, type }), { replace: true });
  }, [isForgotten, project, type]);
  if (opened.state === 'opening' || opened.state === 'forgotten') return <PageSkeleton />;
  if (opened.state === 'failed') return <NotThere error={opened.error} />;
  return <OpenUnlessGone draft={opened.draft} place={place} error={opened.error} />;
}

interface OpenUnlessGoneProps {
  draft: EntityDraft;
  place: EntityPlace;
  error: Error | null;
}

/** An entity that somebody else deletes stays open as long as changes to it are not saved. */
function OpenUnlessGone({ draft, place, error }: OpenUnlessGoneProps) {
  const isSaved = useDraftPart(draft, ({ state }) => state.kind === 'saved');
  if (isRefusal(error, 404) && isSaved) return <NotThere error={error} />;
  return <OpenEntity draft={draft} place={place} />;
}

function NotThere({ error }: { error: Error }) {
  const texts = useTexts(entityTexts);
  const { project } = useWorld();
  if (!isRefusal(error, 404))
    return (
      <EmptyState isPage title={texts.failed}>
        {error.message}
      </EmptyState>
    );
  const toBin = (
    <LinkButton href={addressOf({ screen: 'page', project, page: 'recycle-bin' })}>{texts.toBin}</LinkButton>
  );
  return (
    <EmptyState isPage title={texts.missing} actions={toBin}>
      {texts.missingWhy}
    </EmptyState>
  );
}
