import { useMemo } from 'react';
import { useNames } from '../../../data/use-names.ts';
import { useWorld, type World } from '../../../data/world.tsx';
import type { EntityName, EntityNames } from '../../../kit/editor/options.ts';

const MOST_HITS = 12;
const NO_COLOR = 'gray';

/** The names of the world as the editor asks for them. */
export function useEditorNames(): EntityNames {
  const world = useWorld();
  const names = useNames(world.project);
  return useMemo(
    () => ({
      search: (text) => names.search(text, { limit: MOST_HITS }).map((hit) => named(world, hit)),
      find({ type, id }) {
        const found = names.find(type, id);
        return found && named(world, found);
      },
      findIn: (text) =>
        names.findIn(text).map(({ entity, ...place }) => ({ ...place, entity: named(world, entity) })),
    }),
    [world, names],
  );
}

function named(world: World, { type, id, name }: { type: string; id: string; name: string }): EntityName {
  const found = world.typeOf(type);
  return { type, id, name, typeLabel: found?.label ?? type, color: found?.color ?? NO_COLOR };
}
