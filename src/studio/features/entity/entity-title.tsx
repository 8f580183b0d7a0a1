import { useEffect, useRef } from 'react';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useDraftPart } from '../../data/entity.ts';
import { takeTypedName } from '../../data/typed-name.ts';
import { useWorld } from '../../data/world.tsx';
import { isLocal } from '../../domain/drafts/draft.ts';
import { ENTITY_STATUSES } from '../../domain/list-query.ts';
import type { EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Select } from '../../kit/ui/select.tsx';
import styles from './entity.module.css';
import { entityTexts } from './entity-texts.ts';
import { Here } from './here.tsx';
import { shownName, shownStatus } from './shown-parts.ts';

interface EntityTitleProps {
  draft: EntityDraft;
  place: EntityPlace;
}

/** The entity's name and status, which can be changed in place, and who else is at it. */
export function EntityTitle({ draft, place }: EntityTitleProps) {
  const texts = useTexts(entityTexts);
  const isReadOnly = !useWorld().can('edit_entities');
  const name = useDraftPart(draft, (view) => shownName(view.draft));
  const status = useDraftPart(draft, (view) => shownStatus(view.draft));
  const options = ENTITY_STATUSES.map((id) => ({ id, label: texts.statuses[id] }));
  const isKnown = options.some(({ id }) => id === status);
  const input = useRef<HTMLInputElement>(null);
  const isNameless = useRef(name === '' && isLocal(draft.getSnapshot().draft.key));
  useEffect(() => {
    const typed = takeTypedName();
    if (!isNameless.current) return;
    if (typed !== '') draft.edit('name', typed);
    input.current?.focus();
  }, [draft]);
  return (
    <>
      <input
        className={styles.name}
        aria-label={texts.name}
        placeholder={texts.name}
        ref={input}
        dir="auto"
        value={name}
        readOnly={isReadOnly}
        maxLength={500}
        onChange={({ target }) => draft.edit('name', target.value)}
      />
      <Here place={place} />
      <Select
        label={texts.status}
        isLabelHidden
        placeholder={status}
        isReadOnly={isReadOnly}
        options={isKnown ? options : [...options, { id: status, label: status }]}
        value={status}
        onChange={(next) => draft.edit('status', next)}
      />
    </>
  );
}
