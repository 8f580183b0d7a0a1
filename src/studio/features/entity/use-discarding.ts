import type { EntityDraft, Unkept } from '../../data/drafts/drafts.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { downloadText } from '../../kit/ui/download-text.ts';
import { showToast } from '../../kit/ui/toasts.tsx';
import { entityTexts } from './entity-texts.ts';

/** Ways to let go of one's own changes, after which the user is told where they are. */
export function useDiscarding(draft: EntityDraft) {
  const texts = useTexts(entityTexts);
  function say(unkept: Unkept): void {
    if (unkept === null) showToast({ text: texts.discarded });
    else
      showToast({
        tone: 'error',
        text: texts.unkept,
        action: { label: texts.asFile, onPress: () => downloadText(unkept, 'canonry-discarded.md') },
      });
  }
  return {
    discard: () => draft.discard().then(say),
    takeTheirs: (path: string, theirs?: unknown) => draft.resolveWithTheirs(path, theirs).then(say),
  };
}
