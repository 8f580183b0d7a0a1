import { systemClock } from '../kit/clock.ts';
import { createEdgeSurface } from '../surfaces/edge.surface.ts';
import type { StartSurface } from './served.ts';

export const startEdgeSurface: StartSurface = async (config, log) => {
  const { app, close } = await createEdgeSurface({ config, log, clock: systemClock });
  return {
    app,
    close,
    migrated: { applied: [], backup: null },
    folders: { data_dir: config.dataDir },
    hints: () => [`  accounts ${config.accountsUrl}`, `  core     ${config.coreUrls.join(', ')}`],
  };
};
