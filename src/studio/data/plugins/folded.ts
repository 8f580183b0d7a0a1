import { useEffect, useState } from 'react';
import { browserStore } from '../browser-store.ts';
import { useWorkspace } from '../workspace.ts';

type Fold = { isOpen: boolean | null; toggle: () => void };

/** The state of a plugin's panel, as it was left in this browser; null until that is known. */
export function useFolded(plugin: string, panel: string): Fold {
  const account = useWorkspace()?.account;
  const [isOpen, setOpen] = useState<boolean | null>(null);
  useEffect(() => {
    if (account === undefined) return;
    let isGone = false;
    void read([account, 'panel', plugin, panel]).then((kept) => !isGone && setOpen((now) => now ?? kept));
    return () => {
      isGone = true;
    };
  }, [account, plugin, panel]);
  const toggle = () => {
    const next = !isOpen;
    setOpen(next);
    if (account !== undefined) void keep([account, 'panel', plugin, panel], next);
  };
  return { isOpen, toggle };
}

async function read(key: readonly string[]): Promise<boolean> {
  const kept = await (await browserStore()).table('preferences').get<{ isOpen: boolean }>(key);
  return kept?.isOpen ?? true;
}

async function keep(key: readonly string[], isOpen: boolean): Promise<void> {
  await (await browserStore()).table('preferences').put(key, { isOpen });
}
