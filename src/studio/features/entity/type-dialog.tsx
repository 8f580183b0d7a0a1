import { useState } from 'react';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Select } from '../../kit/ui/select.tsx';
import { dialogTexts } from './dialog-texts.ts';
import { entityTexts } from './entity-texts.ts';

export interface TypeQuestion {
  name: string;
  answer: (type: string | null) => void;
}

/** Asks for the type of an entity that is made by its name. */
export function TypeDialog({ name, answer }: TypeQuestion) {
  const texts = useTexts(entityTexts);
  const words = useTexts(dialogTexts);
  const { types } = useWorld();
  const [type, setType] = useState(types[0]?.type ?? null);
  return (
    <Dialog
      title={words.makeTitle(name)}
      isOpen
      onClose={() => answer(null)}
      closeLabel={texts.close}
      actions={
        <>
          <Button onPress={() => answer(null)}>{words.cancel}</Button>
          <Button tone="primary" isDisabled={type === null} onPress={() => answer(type)}>
            {words.makeDo}
          </Button>
        </>
      }
    >
      <Select
        label={words.makeType}
        placeholder={words.makeType}
        options={types.map(({ type: id, label, color }) => ({ id, label, color }))}
        value={type}
        onChange={setType}
      />
    </Dialog>
  );
}
