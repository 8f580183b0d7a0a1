import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useDraftPart } from '../../data/entity.ts';
import { useListPosition } from '../../data/list-position.ts';
import { useWorld } from '../../data/world.tsx';
import { isLocal } from '../../domain/drafts/draft.ts';
import { ENTITY_STATUSES } from '../../domain/list-query.ts';
import { addressOf, type EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { IconButton } from '../../kit/ui/button.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { TextLink } from '../../kit/ui/link.tsx';
import { Menu } from '../../kit/ui/menu.tsx';
import { Select } from '../../kit/ui/select.tsx';
import styles from './entity.module.css';
import { entityTexts } from './entity-texts.ts';
import { Here } from './here.tsx';
import { shownName, shownStatus } from './shown-parts.ts';

// They come when they are asked for.
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));
const RenameDialog = lazy(async () => ({ default: (await import('./rename-dialog.tsx')).RenameDialog }));
const Neighbours = lazy(async () => ({ default: (await import('./neighbours.tsx')).Neighbours }));

interface EntityHeadProps {
  draft: EntityDraft;
  place: EntityPlace;
}

/** The entity's type, name and status, and the actions on it as a whole. */
export function EntityHead({ draft, place }: EntityHeadProps) {
  const texts = useTexts(entityTexts);
  const { project, typeOf, can } = useWorld();
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const name = useDraftPart(draft, (view) => shownName(view.draft));
  const type = typeOf(place.type);
  const isOpen = can('edit_entities');
  const status = useDraftPart(draft, (view) => shownStatus(view.draft));
  const options = ENTITY_STATUSES.map((id) => ({ id, label: texts.statuses[id] }));
  const isKnown = options.some(({ id }) => id === status);
  const position = useListPosition();
  const input = useRef<HTMLInputElement>(null);
  const isNew = useDraftPart(draft, (view) => isLocal(view.draft.key));
  const isNameless = useRef(isNew && name === '');
  useEffect(() => {
    if (isNameless.current) input.current?.focus();
  }, []);
  return (
    <header className={styles.head}>
      <title>{name || texts.unnamed}</title>
      <div className={styles.crumb}>
        <ColorMark color={type?.color} />
        <TextLink href={addressOf({ screen: 'list', project, type: place.type })}>
          {type?.plural ?? place.type}
        </TextLink>
        {position?.project === project && position.type === place.type && (
          <Suspense>
            <Neighbours id={place.id} position={position} />
          </Suspense>
        )}
      </div>
      <div className={styles.titles}>
        <h1 className={styles.hidden} tabIndex={-1}>
          {name || texts.unnamed}
        </h1>
        <input
          className={styles.name}
          aria-label={texts.name}
          placeholder={texts.name}
          ref={input}
          dir="auto"
          value={name}
          readOnly={!isOpen}
          maxLength={500}
          onChange={({ target }) => draft.edit('name', target.value)}
        />
        <Here place={place} />
        <Select
          label={texts.status}
          isLabelHidden
          placeholder={status}
          isReadOnly={!isOpen}
          options={isKnown ? options : [...options, { id: status, label: status }]}
          value={status}
          onChange={(next) => draft.edit('status', next)}
        />
        {isOpen && !isNew && (
          <Menu
            label={texts.more}
            trigger={<IconButton tone="plain" label={texts.more} icon={<Icon name="more" />} />}
            items={[
              { id: 'rename', label: texts.rename, onSelect: () => setDialog('rename') },
              { id: 'delete', label: texts.delete, isDanger: true, onSelect: () => setDialog('delete') },
            ]}
          />
        )}
      </div>
      <Suspense>
        {dialog === 'rename' && <RenameDialog draft={draft} place={place} onClose={() => setDialog(null)} />}
        {dialog === 'delete' && (
          <DeleteDialog draft={draft} place={place} name={name} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </header>
  );
}
