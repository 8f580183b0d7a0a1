import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { EntityParts } from '../../data/appearance.ts';
import { useCommands } from '../../data/commands.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { entityTexts } from './entity-texts.ts';
import { focusWithin } from './focusable.ts';

interface Parts {
  /** Of the element whose children are the parts. */
  ref: RefObject<HTMLDivElement | null>;
  /** Back to where the user was before they came to this part. */
  goBack: () => void;
}

/** `F6` goes round the parts of a page that are shown, each time to what had the focus there last. */
export function usePartKeys(shown: EntityParts): Parts {
  const texts = useTexts(entityTexts);
  const ref = useRef<HTMLDivElement>(null);
  const parts = useMemo(() => createParts(ref), []);
  useEffect(() => parts.follow(), [parts]);
  useEffect(() => {
    if (shown !== 'both') parts.leaveHidden();
  }, [parts, shown]);
  useCommands(
    useMemo(
      () => [
        {
          id: 'next-part',
          title: texts.nextPart,
          keys: 'F6',
          group: 'here' as const,
          run: () => parts.step(1),
        },
        {
          id: 'previous-part',
          title: texts.previousPart,
          keys: 'Shift+F6',
          group: 'here' as const,
          run: () => parts.step(-1),
        },
      ],
      [texts, parts],
    ),
  );
  return { ref, goBack: parts.goBack };
}

function createParts(ref: RefObject<HTMLElement | null>) {
  const focused = new Map<Element, HTMLElement>();
  /** In the order of the last visit. */
  let visited: Element[] = [];

  const shown = (): Element[] =>
    [...(ref.current?.children ?? [])].filter((part) => part.getClientRects().length > 0);

  function enter(part: Element | undefined): boolean {
    const last = part && focused.get(part);
    last?.focus();
    return (last !== undefined && last === document.activeElement) || focusWithin(part);
  }

  return {
    follow(): () => void {
      const root = ref.current;
      const remember = () => {
        const now = document.activeElement;
        const part = shown().find((each) => each.contains(now));
        if (!part || !(now instanceof HTMLElement)) return;
        focused.set(part, now);
        visited = [...visited.filter((each) => each !== part), part];
      };
      // A field to which the address leads has the focus already.
      remember();
      root?.addEventListener('focusin', remember);
      return () => root?.removeEventListener('focusin', remember);
    },
    /** From outside of all parts to the first or the last one. */
    step(by: 1 | -1): void {
      const all = shown();
      const at = all.findIndex((part) => part.contains(document.activeElement));
      const from = at < 0 && by < 0 ? 0 : at;
      for (let steps = 1; steps <= all.length; steps += 1)
        if (enter(all.at((from + by * steps) % all.length))) return;
    },
    goBack: (): void => void enter(visited.at(-2)),
    /** Where the part with the focus is hidden, the user goes on in one that is not. */
    leaveHidden(): void {
      if (document.activeElement?.closest('[hidden]')) enter(shown()[0]);
    },
  };
}
