import { Suspense, useRef, useState } from 'react';
import { useAi } from '../../data/ai.ts';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { createStore } from '../../data/store.ts';
import { useOpened } from '../../data/use-names.ts';
import { bodyOf, isLocal } from '../../domain/drafts/draft.ts';
import { BODY } from '../../domain/field-path.ts';
import type { EntityPlace } from '../../domain/places.ts';
import { sameLine } from '../../domain/text-line.ts';
import type { Place } from '../../kit/editor/options.ts';
import { late } from '../../kit/ui/late.tsx';
import styles from './entity.module.css';
import { EntityFields } from './entity-fields.tsx';
import { useSayingWhere } from './here.tsx';
import { useMakeEntity } from './make-entity.tsx';
import { EntitySide } from './side/entity-side.tsx';
import { LateEntityBody } from './text/late-entity-body.tsx';
import type { Arrival } from './use-arrival-at.ts';
import { usePartKeys } from './use-part-keys.ts';
import { usePluginPanels } from './use-plugin-panels.tsx';
import type { ShownParts } from './use-shown-parts.ts';

const Propose = late(async () => (await import('./proposal/propose.tsx')).Propose);
const FieldEntry = late(async () => (await import('./proposal/field-entry.tsx')).FieldEntry);
const SelectionEntry = late(async () => (await import('./proposal/selection-entry.tsx')).SelectionEntry);

const fieldEntry = (path: string) => (
  <Suspense>
    <FieldEntry path={path} />
  </Suspense>
);

interface EntityPanesProps {
  draft: EntityDraft;
  place: EntityPlace;
  arrival: Arrival;
  parts: ShownParts;
}

/** Fields beside the text, since writers look from one to the other, and what the world says of the entity. */
export function EntityPanes({ draft, place, arrival, parts }: EntityPanesProps) {
  const [field, setField] = useState<string | null>(place.field ?? null);
  const [line, setLine] = useState<number | null>(null);
  const [selection] = useState(() => createStore<Place['selection'] | null>(null));
  const mayPropose = useAi(place.type);
  const footer = usePluginPanels('entity-footer', place);
  const text = useRef<HTMLElement>(null);
  const { make, dialog } = useMakeEntity();
  const { shown, showAll } = parts;
  const { ref, goBack } = usePartKeys(shown);
  useSayingWhere(place, field);
  useOpened(place.project, place.type, place.id);
  const focusField = (path: string) => {
    setField(path);
    setLine(null);
  };
  return (
    <div ref={ref} className={styles.panes}>
      <section hidden={shown === 'text'} className={styles.fields}>
        <EntityFields
          draft={draft}
          place={place}
          wanted={arrival}
          onFocusField={focusField}
          onSeek={showAll}
          onMake={make}
          moreOf={mayPropose ? fieldEntry : undefined}
        />
      </section>
      <section ref={text} hidden={shown === 'fields'} className={styles.text}>
        <LateEntityBody
          draft={draft}
          place={place}
          arrival={arrival}
          onCursor={(cursor) => {
            setField(cursor.heading === null ? BODY : `${BODY}#${cursor.heading}`);
            const now = draft.getSnapshot().draft;
            setLine(sameLine(bodyOf(now), now.base?.markdown_body ?? '', cursor.line));
            selection.set(cursor.selection);
          }}
          onMake={make}
        />
        {mayPropose && (
          <Suspense>
            <SelectionEntry text={text} />
          </Suspense>
        )}
      </section>
      <EntitySide
        draft={draft}
        type={place.type}
        id={place.id}
        focusedField={field}
        focusedLine={line}
        onMended={goBack}
      >
        {mayPropose && !isLocal(draft.getSnapshot().draft.key) && (
          <Suspense>
            <Propose draft={draft} place={place} focused={field} selection={selection} may={mayPropose} />
          </Suspense>
        )}
      </EntitySide>
      {footer && <div className={styles.footer}>{footer}</div>}
      {dialog}
    </div>
  );
}
