import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { showToast } from '../../kit/ui/toasts.tsx';
import { entityTexts } from './entity-texts.ts';

/** Ways to let go of one's own changes, after which the user is told where they are. */
export function useDiscarding(draft: EntityDraft) {
  const texts = useTexts(entityTexts);
  const say = () => showToast({ text: texts.discarded });
  return {
    discard: () => void draft.discard().then(say),
    takeTheirs: (path: string, theirs?: unknown) => void draft.resolveWithTheirs(path, theirs).then(say),
  };
}
