import { type CanonFinding, type Check, finding, type Side } from '../finding.ts';
import { type CanonEntity, keyOf, type Link } from '../model.ts';
import type { World } from '../world.ts';

interface Claim {
  holder: CanonEntity;
  side: Side;
}

export function ownership(world: World): Check {
  return (thing) => {
    if (thing.copies !== 'one') return [];
    const claims = [...ownersOf(world, thing), ...inventoriesOf(world, thing)];
    const [first, ...others] = [
      ...new Map(claims.map((claim) => [keyOf(claim.holder), claim])).values(),
    ].sort((a, b) => (keyOf(a.holder) < keyOf(b.holder) ? -1 : 1));
    return first ? others.map((other) => ownedTwice(thing, first, other)) : [];
  };
}

const ownersOf = (world: World, thing: CanonEntity): Claim[] =>
  thing.links
    .filter(({ role }) => role === 'owner')
    .flatMap((link: Link) => {
      const holder = world.resolve(link);
      return holder ? [{ holder, side: { entity: thing, path: link.path, value: link.id } }] : [];
    });

const inventoriesOf = (world: World, thing: CanonEntity): Claim[] =>
  world.holdingsOf(thing).map(({ entity, link }) => ({
    holder: entity,
    side: { entity, path: link.path, value: link.id },
  }));

function ownedTwice(thing: CanonEntity, one: Claim, other: Claim): CanonFinding {
  const message = `There is only one ${thing.name}, but both ${one.holder.name} and ${other.holder.name} have it`;
  return finding('owned_twice', 'error', message, [one.side, other.side]);
}
