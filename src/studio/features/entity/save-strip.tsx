import { Suspense, useEffect } from 'react';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useDraftView } from '../../data/entity.ts';
import { shownAgo, shownClock } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { late } from '../../kit/ui/late.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { entityTexts } from './entity-texts.ts';

const loadConflict = async () => (await import('./conflict-strip.tsx')).ConflictStrip;
const loadRefused = async () => (await import('./refused-strip.tsx')).RefusedStrip;
const ConflictStrip = late(loadConflict);
const RefusedStrip = late(loadRefused);

const loadStrips = (): void => void Promise.all([loadConflict(), loadRefused()]).catch(() => undefined);

/** A problem with saving this entity that the user must know about; nothing while all is well. */
export function SaveStrip({ draft }: { draft: EntityDraft }) {
  const texts = useTexts(entityTexts);
  const view = useDraftView(draft);
  const { state, recoveredFrom } = view;
  const isSaved = state.kind === 'saved';
  useEffect(() => {
    // When a save is refused, it is too late to find out that a part of the page is gone.
    if (!isSaved) loadStrips();
  }, [isSaved]);
  if (state.kind === 'conflict' || state.kind === 'refused')
    return (
      <Suspense>
        {state.kind === 'conflict' ? (
          <ConflictStrip draft={draft} view={view} by={state.with} />
        ) : (
          <RefusedStrip draft={draft} why={state.why} parts={state.parts} />
        )}
      </Suspense>
    );
  if (state.kind === 'kept' && state.reason !== 'no-name') {
    const since = shownClock(state.since);
    const text = {
      offline: texts.offline(since),
      service: texts.serviceAway(since),
      'sign-in': texts.signInFirst,
    };
    return (
      <Notice tone="warning" isStrip>
        {text[state.reason]}
      </Notice>
    );
  }
  if (recoveredFrom !== null) return <Notice isStrip>{texts.recovered(shownAgo(recoveredFrom))}</Notice>;
  return null;
}
