import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { announce } from './live-region.tsx';

const copyTexts = defineTexts(
  { failed: 'It could not be copied' },
  { failed: 'Es ließ sich nicht kopieren' },
);

export interface CopyButtonProps {
  text: string;
  /** Says which text, for screen readers. */
  label?: string;
  /** Said once the text is on the clipboard. */
  copied: string;
  children: ReactNode;
}

/** Browsers have a clipboard on https and on loopback alone; elsewhere the text can be marked. */
export function CopyButton({ text, label, copied, children }: CopyButtonProps) {
  const { failed } = useTexts(copyTexts);
  if (!('clipboard' in navigator)) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => announce(copied),
      () => announce(failed),
    );
  return (
    <Button size="s" {...(label !== undefined && { label })} onPress={() => void copy()}>
      {children}
    </Button>
  );
}
