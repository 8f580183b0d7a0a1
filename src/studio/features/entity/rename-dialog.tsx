import { useEffect, useState } from 'react';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import type { EntityAddress } from '../../data/entity.ts';
import { previewRename, type Renaming, renameEntity, takeRenameBack } from '../../data/entity-changes.ts';
import { detailOf } from '../../data/errors.ts';
import { addressOf, type EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { showToast } from '../../kit/ui/toasts.tsx';
import { dialogTexts } from './dialog-texts.ts';
import { entityTexts } from './entity-texts.ts';

const TYPING_PAUSE_MS = 300;

interface RenameDialogProps {
  draft: EntityDraft;
  place: EntityPlace;
  onClose: () => void;
}

/** The user may have gone elsewhere meanwhile, and stays there. */
function follow(from: EntityAddress, to: EntityAddress): void {
  if (location.pathname === addressOf({ screen: 'entity', ...from }))
    goTo(addressOf({ screen: 'entity', ...to }), { replace: true });
}

/** Says which files follow before anything changes. */
export function RenameDialog({ draft, place, onClose }: RenameDialogProps) {
  const texts = useTexts(entityTexts);
  const words = useTexts(dialogTexts);
  const [newId, setNewId] = useState(place.id);
  const [preview, setPreview] = useState<Renaming | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const { project, type, id } = place;
  const entity = { project, type, id };
  const renamed = { project, type, id: newId };

  useEffect(() => {
    setPreview(null);
    setFault(null);
    if (newId === '' || newId === place.id) return;
    let isOver = false;
    const timer = setTimeout(() => {
      previewRename(place, newId).then(
        (found) => !isOver && setPreview(found),
        (error) => !isOver && setFault(detailOf(error) ?? words.renameFailed),
      );
    }, TYPING_PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [newId, place, words]);

  async function rename() {
    setRenaming(true);
    // Under the new id nothing would be known of what is not saved under this one.
    await draft.saveNow();
    if (draft.getSnapshot().state.kind !== 'saved') {
      setRenaming(false);
      setFault(words.saveFirst);
      return;
    }
    try {
      const operation = await renameEntity(entity, newId);
      onClose();
      follow(entity, renamed);
      showToast({
        text: words.renamed(newId),
        ...(operation && {
          action: { label: words.takeBack, onPress: () => void undo(operation.operation_id) },
        }),
      });
    } catch (error) {
      setRenaming(false);
      setFault(detailOf(error) ?? words.renameFailed);
    }
  }

  async function undo(operation: string) {
    try {
      const undone = await takeRenameBack(entity, newId, operation);
      if (undone === null) {
        showToast({ tone: 'error', text: words.saveFirst });
        return;
      }
      const { skipped_total: skipped } = undone;
      follow(renamed, entity);
      if (skipped === 0) showToast({ tone: 'success', text: words.renameUndone });
      else showToast({ tone: 'warning', text: words.renameUndonePartly(skipped) });
    } catch (error) {
      showToast({ tone: 'error', text: detailOf(error) ?? words.renameFailed });
    }
  }

  return (
    <Dialog
      title={words.renameTitle}
      isOpen
      onClose={onClose}
      closeLabel={texts.close}
      actions={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            tone="primary"
            isDisabled={preview === null}
            isPending={isRenaming}
            onPress={() => void rename()}
          >
            {words.renameDo}
          </Button>
        </>
      }
    >
      <TextField
        label={words.renameId}
        help={preview ? words.renameTouches(preview.files_total - 1) : words.renameHelp}
        error={fault ?? undefined}
        value={newId}
        onChange={setNewId}
        autoFocus
      />
    </Dialog>
  );
}
