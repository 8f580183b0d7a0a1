import { useCallback, useEffect, useState } from 'react';
import type { DiscardedDraft } from './drafts/discarded.ts';
import { useWorkspace } from './workspace.ts';

export type { DiscardedDraft };

export interface Discarded {
  /** The last discarded first. */
  drafts: readonly DiscardedDraft[];
  /** Brings one back as the draft of its entity. False: the browser has no room for what is typed there. */
  restore(discarded: DiscardedDraft): Promise<boolean>;
}

/** The changes that the user discarded in a world with this browser in the last 30 days. */
export function useDiscarded(project: string): Discarded {
  const workspace = useWorkspace();
  const [drafts, setDrafts] = useState<readonly DiscardedDraft[]>([]);
  const read = useCallback(async () => {
    const all = (await workspace?.drafts.discarded()) ?? [];
    setDrafts(all.filter(({ draft }) => draft.key.project === project));
  }, [workspace, project]);
  useEffect(() => void read(), [read]);
  return {
    drafts,
    async restore(discarded) {
      const isBack = (await workspace?.drafts.restore(discarded)) ?? false;
      await read();
      return isBack;
    },
  };
}
