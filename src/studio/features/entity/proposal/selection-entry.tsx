import { type RefObject, useLayoutEffect, useState } from 'react';
import { useStore } from '../../../data/store.ts';
import { focusEditor } from '../../../kit/editor/editor.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { offer } from './offer.ts';
import styles from './proposal.module.css';
import { proposalTexts } from './proposal-texts.ts';

interface SelectionEntryProps {
  /** Holds the text; places are relative to it. */
  text: RefObject<HTMLElement | null>;
}

/** A button below the end of what is selected in the text. */
export function SelectionEntry({ text }: SelectionEntryProps) {
  const texts = useTexts(proposalTexts);
  const here = useStore(offer);
  const [top, setTop] = useState<number | null>(null);
  useLayoutEffect(
    () => setTop(here?.kind === 'selection' ? bottomOfSelection(text.current) : null),
    [here, text],
  );
  if (here?.kind !== 'selection' || top === null) return null;
  const back = () => void (text.current && focusEditor(text.current));
  return (
    <div className={styles.atSelection} style={{ insetBlockStart: top }}>
      <Button size="s" onPress={() => here.ask(back)}>
        {texts.proposeHere}
      </Button>
    </div>
  );
}

function bottomOfSelection(text: HTMLElement | null): number | null {
  const selection = document.getSelection();
  if (!text || !selection || selection.rangeCount === 0 || !text.contains(selection.anchorNode)) return null;
  const { bottom } = selection.getRangeAt(0).getBoundingClientRect();
  return bottom - text.getBoundingClientRect().top + text.scrollTop;
}
