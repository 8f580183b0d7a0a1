import { useRef } from 'react';
import { useStore } from '../../../data/store.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { IconButton } from '../../../kit/ui/button.tsx';
import { Icon } from '../../../kit/ui/icons.tsx';
import { Menu } from '../../../kit/ui/menu.tsx';
import { focusWithin } from '../focusable.ts';
import { offer } from './offer.ts';
import { proposalTexts } from './proposal-texts.ts';

/** The menu of the field with the cursor. */
export function FieldEntry({ path }: { path: string }) {
  const texts = useTexts(proposalTexts);
  const box = useRef<HTMLSpanElement>(null);
  const here = useStore(offer);
  if (here?.kind !== 'field' || here.at !== path) return null;
  const ask = () => {
    const field = box.current?.closest('[data-path]');
    here.ask(() => focusWithin(field));
  };
  return (
    <span ref={box}>
      <Menu
        label={texts.more}
        trigger={<IconButton size="s" label={texts.more} icon={<Icon name="more" />} />}
        items={[{ id: 'propose', label: here.title, onSelect: ask }]}
      />
    </span>
  );
}
