import { useMemo, useRef } from 'react';
import { useCommands } from '../../data/commands.ts';

export function useSaveKey(title: string, save: () => Promise<void>): void {
  const newest = useRef(save);
  newest.current = save;
  useCommands(
    useMemo(
      () => [
        { id: 'save-now', title, keys: 'Ctrl+S', group: 'here' as const, run: () => void newest.current() },
      ],
      [title],
    ),
  );
}
