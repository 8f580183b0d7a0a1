import { type Route, route } from '../../kit/route.ts';
import { connectToCloud, disconnectFromCloud } from './listening.contract.ts';
import type { Listening } from './listening.service.ts';

export const listeningRoutes = ({
  listening,
  active,
}: {
  listening: Listening;
  active(): string;
}): Route[] => [
  route(connectToCloud, () => listening.connect(active())),
  route(disconnectFromCloud, async () => {
    await listening.disconnect();
    return listening.status();
  }),
];
