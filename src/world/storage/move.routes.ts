import { type Route, route } from '../../kit/route.ts';
import { cancelStorageMove, getStorageMove, startStorageMove } from './move.contract.ts';
import type { Moves } from './move.service.ts';
import type { Move } from './moves.ts';
import { shownLocation } from './shown-place.ts';

export const moveRoutes = (moves: Moves): Route[] => [
  route(startStorageMove, async ({ tenantId, actor }) => shown(await moves.start(tenantId, actor))),
  route(getStorageMove, async ({ tenantId }) => shown(await moves.last(tenantId))),
  route(cancelStorageMove, async ({ tenantId }) => shown(await moves.cancel(tenantId))),
];

const shown = ({ from, to, ...move }: Move) => ({
  ...move,
  from: shownLocation(from),
  to: shownLocation(to),
});
