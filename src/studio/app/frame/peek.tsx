import { Suspense, useEffect, useState } from 'react';
import type { EntityAddress } from '../../data/entity.ts';
import { closePeek, usePeeked } from '../../data/peek.ts';
import { addressOf } from '../../domain/places.ts';
import { goTo, useAddress } from '../../kit/router/router.ts';
import { isPhone } from '../../kit/theme/is-phone.ts';
import { late } from '../../kit/ui/late.tsx';

const EntityPeek = late(async () => (await import('../../features/entity/entity-peek.tsx')).EntityPeek, {
  isAbove: true,
});

/** The entity that the user looks at from where they are. */
export function Peek() {
  const entity = usePeeked();
  // It ends with the frame: another world, or another account, must not begin with it.
  useEffect(() => closePeek, []);
  if (!entity) return null;
  const key = `${entity.type}/${entity.id}`;
  return isPhone() ? <AsPage key={key} entity={entity} /> : <AbovePage key={key} entity={entity} />;
}

/** A phone has no room beside the page. */
function AsPage({ entity }: { entity: EntityAddress }) {
  useEffect(() => {
    closePeek();
    goTo(addressOf({ screen: 'entity', ...entity }));
  }, [entity]);
  return null;
}

/** Stays as long as the page below it. */
function AbovePage({ entity }: { entity: EntityAddress }) {
  const { path } = useAddress();
  const [below] = useState(path);
  const isOver = path !== below;
  useEffect(() => {
    if (isOver) closePeek();
  }, [isOver]);
  // Gone before the next page takes the focus.
  if (isOver) return null;
  return (
    <Suspense>
      <EntityPeek place={entity} onClose={closePeek} />
    </Suspense>
  );
}
