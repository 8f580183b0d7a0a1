import type { EntityDraft } from '../../data/drafts/drafts.ts';
import type { EntityPlace } from '../../domain/places.ts';
import styles from './entity.module.css';
import { EntityHead } from './entity-head.tsx';
import { EntityPanes } from './entity-panes.tsx';
import { EntityTabs } from './entity-tabs.tsx';
import { SaveStrip } from './save-strip.tsx';
import { useArrivalAt } from './use-arrival-at.ts';
import { useSaveCommand } from './use-save-command.ts';
import { useShownParts } from './use-shown-parts.ts';

/** An entity that is open, as the user has it on the screen. */
export function OpenEntity({ draft, place }: { draft: EntityDraft; place: EntityPlace }) {
  useSaveCommand(draft);
  const arrival = useArrivalAt(place);
  const parts = useShownParts(arrival);
  return (
    <article className={styles.entity}>
      <EntityHead draft={draft} place={place} />
      <SaveStrip draft={draft} />
      <EntityTabs place={place} parts={parts}>
        <EntityPanes draft={draft} place={place} arrival={arrival} parts={parts} />
      </EntityTabs>
    </article>
  );
}
