import { systemClock } from '../kit/clock.ts';
import { createAccountsSurface } from '../surfaces/accounts.surface.ts';
import type { StartSurface } from './served.ts';

export const startAccountsSurface: StartSurface = async (config, log) => {
  const { app, migrated, close } = await createAccountsSurface({ config, log, clock: systemClock });
  return {
    app,
    migrated,
    close,
    folders: { data_dir: config.dataDir },
    hints: (address) => [
      `  data     ${config.dataDir}`,
      `  next     open ${address}/docs, or register the first account (its tenant runs the installation)`,
    ],
  };
};
