import { useMemo } from 'react';
import { useCommands } from '../../data/commands.ts';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { entityTexts } from './entity-texts.ts';

export function useSaveCommand(draft: EntityDraft): void {
  const { saveNow } = useTexts(entityTexts);
  useCommands(
    useMemo(
      () => [
        {
          id: 'save-now',
          title: saveNow,
          keys: 'Ctrl+S',
          group: 'here' as const,
          run: () => void draft.saveNow(),
        },
      ],
      [saveNow, draft],
    ),
  );
}
