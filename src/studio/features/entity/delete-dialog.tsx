import { useState } from 'react';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { deleteEntity, useReferrerCount } from '../../data/entity-changes.ts';
import { detailOf } from '../../data/errors.ts';
import { addressOf, type EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { dialogTexts } from './dialog-texts.ts';
import { entityTexts } from './entity-texts.ts';
import { useDiscarding } from './use-discarding.ts';

interface DeleteDialogProps {
  draft: EntityDraft;
  place: EntityPlace;
  name: string;
  onClose: () => void;
}

/** Says what would lead nowhere before anything is deleted. */
export function DeleteDialog({ draft, place, name, onClose }: DeleteDialogProps) {
  const texts = useTexts(entityTexts);
  const words = useTexts(dialogTexts);
  const referrers = useReferrerCount(place);
  const { discard } = useDiscarding(draft);
  const [fault, setFault] = useState<string | null>(null);
  const { project, type } = place;

  async function remove() {
    try {
      // The recycle bin gets what is on the screen, and what could not be saved is kept as a discarded draft.
      await draft.saveNow();
      await deleteEntity(place);
      if (draft.getSnapshot().state.kind !== 'saved') await discard();
      onClose();
      goTo(addressOf({ screen: 'list', project, type }));
    } catch (error) {
      setFault(detailOf(error) ?? texts.failed);
    }
  }

  return (
    <Dialog
      title={words.deleteTitle(name)}
      isOpen
      isAlert
      onClose={onClose}
      closeLabel={texts.close}
      actions={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button tone="danger" onPress={() => void remove()}>
            {words.deleteDo}
          </Button>
        </>
      }
    >
      <p>{words.deleteWhy}</p>
      {referrers !== undefined && <p>{words.deleteReferrers(referrers)}</p>}
      {fault && <Notice tone="error">{fault}</Notice>}
    </Dialog>
  );
}
