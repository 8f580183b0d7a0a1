import { useMemo } from 'react';
import { useFieldWords } from '../../data/field-words.ts';
import { useWorld } from '../../data/world.tsx';
import { partsOf } from '../../domain/draft-parts.ts';
import type { Draft } from '../../domain/drafts/draft.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { Sheet } from '../../kit/ui/dialog.tsx';
import styles from './recycle-bin.module.css';
import { recycleBinTexts } from './recycle-bin-texts.ts';

interface DiscardedSheetProps {
  draft: Draft;
  title: string;
  onBringBack: () => void;
  onClose: () => void;
}

/** Everything that a discarded draft changes, to read, to copy and to bring back. */
export function DiscardedSheet({ draft, title, onBringBack, onClose }: DiscardedSheetProps) {
  const texts = useTexts(recycleBinTexts);
  const { project } = useWorld();
  const { type } = draft.key;
  const words = useFieldWords(
    project,
    useMemo(() => [type], [type]),
  );
  return (
    <Sheet
      title={title}
      isOpen
      onClose={onClose}
      closeLabel={texts.close}
      actions={
        <Button tone="primary" onPress={onBringBack}>
          {texts.bringBack}
        </Button>
      }
    >
      {partsOf(draft).map(({ path, value }) => (
        <Part key={path} label={words.labelOf(type, path)} text={words.textOf(type, path, value)} />
      ))}
    </Sheet>
  );
}

function Part({ label, text }: { label: string; text: string }) {
  const texts = useTexts(recycleBinTexts);
  return (
    <section>
      <div className={styles.part}>
        <h3 dir="auto">{label}</h3>
        {text !== '' && (
          <CopyButton text={text} label={texts.copyNamed(label)} copied={texts.copied}>
            {texts.copy}
          </CopyButton>
        )}
      </div>
      <p className={styles.value} dir="auto">
        {text || texts.cleared}
      </p>
    </section>
  );
}
