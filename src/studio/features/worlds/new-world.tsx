import { useState } from 'react';
import { createProject } from '../../data/projects.ts';
import { addressOf, WORLD_STARTS, type WorldStart } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { RadioGroup } from '../../kit/ui/radio-group.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { WorldDialog } from './world-dialog.tsx';
import { worldsTexts } from './worlds-texts.ts';

/** As long as the service takes them. */
export const LONGEST_NAME = 200;

interface NewWorldProps {
  start: WorldStart;
  onClose: () => void;
}

export function NewWorld({ start: first, onClose }: NewWorldProps) {
  const texts = useTexts(worldsTexts);
  const [name, setName] = useState('');
  const [start, setStart] = useState(first);

  async function create() {
    const { id } = await createProject({ name: name.trim(), start });
    goTo(addressOf({ screen: 'home', project: id }));
  }

  return (
    <WorldDialog
      title={texts.make}
      action={texts.create}
      isReady={name.trim() !== ''}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        help={texts.nameHelp}
        value={name}
        onChange={setName}
        maxLength={LONGEST_NAME}
        isRequired
        autoFocus
      />
      <RadioGroup
        label={texts.start}
        help={texts.starts[start].help}
        value={start}
        onChange={(id) => setStart(WORLD_STARTS.find((one) => one === id) ?? start)}
        options={WORLD_STARTS.map((id) => ({ id, label: texts.starts[id].label }))}
      />
    </WorldDialog>
  );
}
