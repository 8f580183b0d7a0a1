import { useState } from 'react';
import { type ProjectSummary, renameProject } from '../../data/projects.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { TextField } from '../../kit/ui/text-field.tsx';
import { LONGEST_NAME } from './new-world.tsx';
import { WorldDialog } from './world-dialog.tsx';
import { worldsTexts } from './worlds-texts.ts';

export function RenameWorld({ project, onClose }: { project: ProjectSummary; onClose: () => void }) {
  const texts = useTexts(worldsTexts);
  const [name, setName] = useState(project.name);

  async function rename() {
    await renameProject(project.id, name.trim());
    onClose();
  }

  return (
    <WorldDialog
      title={texts.renameTitle(project.name)}
      action={texts.save}
      isReady={name.trim() !== ''}
      onSubmit={rename}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        help={texts.renameHelp}
        value={name}
        onChange={setName}
        maxLength={LONGEST_NAME}
        isRequired
        autoFocus
      />
    </WorldDialog>
  );
}
