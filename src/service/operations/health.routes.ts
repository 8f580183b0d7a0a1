import { type Route, route } from '../../kit/route.ts';
import { getApiHealth, getHealth, getLiveness, getReadiness, getServicesHealth } from './health.contract.ts';
import type { Health } from './health.service.ts';

export const healthRoutes = (health: Health): Route[] => [
  route(getHealth, () => health.health()),
  route(getApiHealth, () => health.health()),
  route(getServicesHealth, () => health.services()),
  route(getLiveness, () => ({ status: 'alive' as const })),
  route(getReadiness, () => health.readiness()),
];
