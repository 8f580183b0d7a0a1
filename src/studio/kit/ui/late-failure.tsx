import { useTexts } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import styles from './late-failure.module.css';
import { lateTexts } from './late-texts.ts';
import { Notice } from './notice.tsx';
import { returningFocus } from './returning-focus.ts';

export interface LateFailureProps {
  /** It stands for what would have opened above the page. */
  isAbove: boolean;
  onRetry: () => void;
  onClose: (() => void) | undefined;
}

/** Says where a part of the page is missing, and offers another try. A new version of the app has other parts. */
export function LateFailure({ isAbove, onRetry, onClose }: LateFailureProps) {
  const texts = useTexts(lateTexts);
  const retry = () => {
    // The button goes, and the focus would be nowhere.
    document.activeElement?.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
    onRetry();
  };
  const notice = (
    <Notice
      tone="error"
      {...(onClose && { close: { label: texts.close, onPress: onClose } })}
      actions={
        <>
          <Button size="s" onPress={retry}>
            {texts.retry}
          </Button>
          <Button size="s" onPress={() => location.reload()}>
            {texts.reload}
          </Button>
        </>
      }
    >
      {texts.failed}
    </Notice>
  );
  if (!isAbove) return notice;
  return (
    <dialog
      ref={showAbove}
      aria-label={texts.title}
      popover="manual"
      className={styles.above}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !onClose) return;
        // What it opened from stays open.
        event.stopPropagation();
        onClose();
      }}
    >
      {notice}
    </dialog>
  );
}

/** Takes the focus as what the user asked for would have done, and gives it back. */
function showAbove(box: HTMLElement | null): () => void {
  const giveBack = returningFocus(box);
  box?.showPopover();
  box?.querySelector('button')?.focus();
  return giveBack;
}
