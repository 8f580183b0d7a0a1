import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useWorld } from '../../data/world.tsx';
import type { Refused } from '../../domain/drafts/save-state.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { stripTexts } from './strip-texts.ts';
import { useDiscarding } from './use-discarding.ts';

interface RefusedStripProps {
  draft: EntityDraft;
  why: Refused | null;
  parts: Readonly<Record<string, string>>;
}

/** The service did not take the draft. It stays, and the strip offers what can be done. */
export function RefusedStrip({ draft, why, parts }: RefusedStripProps) {
  const words = useTexts(stripTexts);
  const { project } = useWorld();
  const { discard } = useDiscarding(draft);
  const discardButton = <Button onPress={() => void discard()}>{words.discard}</Button>;

  async function keepAsNew() {
    const { key } = (await draft.keepAsNew()).getSnapshot().draft;
    goTo(addressOf({ screen: 'entity', project, type: key.type, id: key.id }), { replace: true });
  }

  if (why?.code === 'gone') {
    const actions = (
      <>
        {discardButton}
        <Button onPress={() => void keepAsNew()}>{words.keepAsNew}</Button>
      </>
    );
    return (
      <Notice tone="warning" isStrip actions={actions}>
        {words.gone}
      </Notice>
    );
  }
  const { suggestion } = why ?? { suggestion: null };
  if (why?.code === 'id_taken' && suggestion !== null) {
    return (
      <Notice
        tone="warning"
        isStrip
        actions={<Button onPress={() => void draft.chooseId(suggestion)}>{words.saveAs(suggestion)}</Button>}
      >
        {words.idTaken(suggestion)}
      </Notice>
    );
  }
  return (
    <Notice tone="error" isStrip actions={discardButton}>
      {words.refused(why?.detail ?? Object.values(parts).join(' '))}
    </Notice>
  );
}
