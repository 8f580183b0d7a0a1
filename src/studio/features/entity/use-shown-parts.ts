import { useMemo, useState } from 'react';
import { chooseAppearance, ENTITY_PARTS, type EntityParts, useAppearance } from '../../data/appearance.ts';
import { useCommands } from '../../data/commands.ts';
import { BODY } from '../../domain/field-path.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { entityTexts } from './entity-texts.ts';
import type { Arrival } from './use-arrival-at.ts';

export interface ShownParts {
  shown: EntityParts;
  choose: (shown: EntityParts) => void;
  /** For now: something of a part is wanted that is hidden. */
  showAll: () => void;
}

/** Fields, text or both, as the user likes it; what an address leads to is shown in any case. */
export function useShownParts(arrival: Arrival): ShownParts {
  const texts = useTexts(entityTexts);
  const { entity_parts: chosen } = useAppearance();
  const [since, setSince] = useState<{ arrival: Arrival; shown: EntityParts }>();
  const parts = useMemo(() => {
    const wanted = partOf(arrival);
    const first = wanted === null || wanted === chosen ? chosen : 'both';
    const shown = since?.arrival === arrival ? since.shown : first;
    const show = (next: EntityParts) => setSince({ arrival, shown: next });
    const choose = (next: EntityParts) => {
      show(next);
      chooseAppearance({ entity_parts: next });
    };
    return { shown, choose, showAll: () => show('both') };
  }, [arrival, chosen, since]);
  useCommands(
    useMemo(
      () =>
        ENTITY_PARTS.map((part) => ({
          id: `show-${part}`,
          title: `${texts.show}: ${texts.shown[part]}`,
          group: 'here' as const,
          run: () => parts.choose(part),
        })),
      [texts, parts],
    ),
  );
  return parts;
}

function partOf({ field, line }: Arrival): 'fields' | 'text' | null {
  if (line !== undefined || field === BODY) return 'text';
  return field === undefined ? null : 'fields';
}
