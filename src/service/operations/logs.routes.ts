import { type Route, route } from '../../kit/route.ts';
import { clearLog, listLogs, readLog } from './logs.contract.ts';
import type { Logs } from './logs.service.ts';

export const logRoutes = (logs: Logs): Route[] => [
  route(listLogs, () => logs.list()),
  route(readLog, ({ params, query }) => logs.read(params.log_name, query)),
  route(clearLog, ({ params }) => logs.clear(params.log_name)),
];
