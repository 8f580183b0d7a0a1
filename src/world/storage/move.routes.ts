import { type Route, route } from '../../kit/route.ts';
import { cancelStorageMove, getStorageMove, startStorageMove } from './move.contract.ts';
import type { Moves } from './move.service.ts';
import { shownMove } from './shown-place.ts';

export const moveRoutes = (moves: Moves): Route[] => [
  route(startStorageMove, async ({ tenantId, actor }) => shownMove(await moves.start(tenantId, actor))),
  route(getStorageMove, async ({ tenantId }) => shownMove(await moves.last(tenantId))),
  route(cancelStorageMove, async ({ tenantId }) => shownMove(await moves.cancel(tenantId))),
];
