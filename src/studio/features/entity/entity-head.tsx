import { Suspense, useState } from 'react';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useDraftPart } from '../../data/entity.ts';
import { useListPosition } from '../../data/list-position.ts';
import { useWorld } from '../../data/world.tsx';
import { isLocal } from '../../domain/drafts/draft.ts';
import { addressOf, type EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { IconButton } from '../../kit/ui/button.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { late } from '../../kit/ui/late.tsx';
import { TextLink } from '../../kit/ui/link.tsx';
import { Menu } from '../../kit/ui/menu.tsx';
import styles from './entity.module.css';
import { entityTexts } from './entity-texts.ts';
import { EntityTitle } from './entity-title.tsx';
import { shownName } from './shown-parts.ts';

// They come when they are asked for.
const DeleteDialog = late(async () => (await import('./delete-dialog.tsx')).DeleteDialog, { isAbove: true });
const RenameDialog = late(async () => (await import('./rename-dialog.tsx')).RenameDialog, { isAbove: true });
const Neighbours = late(async () => (await import('./neighbours.tsx')).Neighbours);

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
  const position = useListPosition();
  const isNew = useDraftPart(draft, (view) => isLocal(view.draft.key));
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
        <EntityTitle draft={draft} place={place} />
        {isOpen && !isNew && (
          <Menu
            label={texts.more}
            trigger={<IconButton tone="plain" label={texts.more} icon={<Icon name="more" />} />}
            items={[
              { id: 'rename', label: texts.rename, onSelect: () => setDialog('rename') },
              ...(can('manage_templates')
                ? [
                    {
                      id: 'layout',
                      label: texts.arrange,
                      href: addressOf({ screen: 'layout', project, type: place.type }),
                    },
                  ]
                : []),
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
