import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useEntityDraft } from '../../data/entity.ts';
import { detailOf } from '../../data/errors.ts';
import { useNames } from '../../data/use-names.ts';
import { addressOf, type EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Sheet } from '../../kit/ui/dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import styles from './entity.module.css';
import { EntityFields } from './entity-fields.tsx';
import { entityTexts } from './entity-texts.ts';
import { EntityTitle } from './entity-title.tsx';
import { useMakeEntity } from './make-entity.tsx';
import { SaveStrip } from './save-strip.tsx';
import { LateEntityBody } from './text/late-entity-body.tsx';
import { useSaveCommand } from './use-save-command.ts';

interface EntityPeekProps {
  place: EntityPlace;
  onClose: () => void;
}

interface PeekPartProps {
  draft: EntityDraft;
  place: EntityPlace;
}

/** An entity above the page on which the user goes on, with the same draft as on its own page. */
export function EntityPeek({ place, onClose }: EntityPeekProps) {
  const texts = useTexts(entityTexts);
  const opened = useEntityDraft(place);
  const name = useNames(place.project).find(place.type, place.id)?.name;
  const head = opened.state === 'open' && <PeekHead draft={opened.draft} place={place} />;
  const open = () => goTo(addressOf({ screen: 'entity', ...place }));
  return (
    <Sheet
      title={name ?? texts.unnamed}
      head={head}
      isOpen
      onClose={onClose}
      closeLabel={texts.close}
      actions={
        <Button tone="primary" onPress={open} autoFocus>
          {texts.open}
        </Button>
      }
    >
      {opened.state === 'opening' && <Skeleton lines={10} height="2rem" />}
      {opened.state === 'failed' && <Notice tone="error">{detailOf(opened.error) ?? texts.failed}</Notice>}
      {opened.state === 'open' && <PeekParts draft={opened.draft} place={place} />}
    </Sheet>
  );
}

const PeekHead = ({ draft, place }: PeekPartProps) => (
  <div className={styles.titles}>
    <EntityTitle draft={draft} place={place} />
  </div>
);

function PeekParts({ draft, place }: PeekPartProps) {
  const { make, dialog } = useMakeEntity();
  useSaveCommand(draft);
  return (
    <>
      <SaveStrip draft={draft} />
      <EntityFields draft={draft} place={place} onFocusField={ignore} onMake={make} />
      <LateEntityBody draft={draft} place={place} onCursor={ignore} onMake={make} />
      {dialog}
    </>
  );
}

/** Others are told about the page that the user is on. */
const ignore = () => undefined;
