import { useMemo } from 'react';
import { useCommands } from '../../data/commands.ts';
import { type ListPosition, rememberPosition } from '../../data/list-position.ts';
import { useRows } from '../../data/rows.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { IconButton } from '../../kit/ui/button.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { entityTexts } from './entity-texts.ts';

interface NeighboursProps {
  id: string;
  position: ListPosition;
}

/** Leads to the entities before and after this one in the list that the user came from; nothing where it is not of that list. */
export function Neighbours({ id, position }: NeighboursProps) {
  const texts = useTexts(entityTexts);
  const { project, type, query, index } = position;
  const rows = useRows(
    { project, type, query, columns: ['name'] },
    { first: Math.max(0, index - 1), last: index + 1 },
  );
  const isHere = rows.at(index)?.entity_id === id;
  const before = isHere ? rows.at(index - 1)?.entity_id : undefined;
  const after = isHere ? rows.at(index + 1)?.entity_id : undefined;
  const commands = useMemo(() => {
    const command = (key: string, title: string, keys: string, to: string | undefined, at: number) =>
      to === undefined
        ? []
        : [
            {
              id: key,
              title,
              keys,
              group: 'go' as const,
              run() {
                rememberPosition({ ...position, index: at });
                goTo(addressOf({ screen: 'entity', project, type, id: to }));
              },
            },
          ];
    return {
      before: command('previous-entity', texts.previous, 'Alt+ArrowUp', before, index - 1),
      after: command('next-entity', texts.next, 'Alt+ArrowDown', after, index + 1),
    };
  }, [texts, position, project, type, index, before, after]);
  useCommands(useMemo(() => [...commands.before, ...commands.after], [commands]));
  if (!isHere) return null;
  return (
    <>
      <IconButton
        size="s"
        label={texts.previous}
        icon={<Icon name="chevronUp" />}
        isDisabled={before === undefined}
        onPress={() => commands.before[0]?.run()}
      />
      <IconButton
        size="s"
        label={texts.next}
        icon={<Icon name="chevronDown" />}
        isDisabled={after === undefined}
        onPress={() => commands.after[0]?.run()}
      />
    </>
  );
}
