import type { MountedModule } from '../../frame/assemble.ts';
import { type StudioOptions, studioRoutes } from './studio.routes.ts';
import type { Studio } from './studio.service.ts';

/** Serves the web app, and tells it what the installation is. */
export const createStudioModule = (studio: Studio, options: StudioOptions): MountedModule => ({
  name: 'studio',
  routes: studioRoutes(studio, options),
});
