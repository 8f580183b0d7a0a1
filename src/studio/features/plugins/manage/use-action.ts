import { useState } from 'react';
import { detailOf } from '../../../data/errors.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { manageTexts } from './manage-texts.ts';

interface Action {
  isPending: boolean;
  /** Why the last one failed, in the service's words. */
  fault: string | null;
  /** True once it is done. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** One change at a time, with its progress and its failure. */
export function useAction(): Action {
  const texts = useTexts(manageTexts);
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  return {
    isPending,
    fault,
    async run(work) {
      if (isPending) return false;
      setPending(true);
      setFault(null);
      try {
        await work();
        return true;
      } catch (error) {
        setFault(detailOf(error) ?? texts.unreachable);
        return false;
      } finally {
        setPending(false);
      }
    },
  };
}
