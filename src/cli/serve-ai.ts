import { systemClock } from '../kit/clock.ts';
import { createAiSurface } from '../surfaces/ai.surface.ts';
import type { StartSurface } from './served.ts';

export const startAiSurface: StartSurface = async (config, log) => {
  const { app, close } = await createAiSurface({ config, log, clock: systemClock });
  return {
    app,
    close,
    migrated: { applied: [], backup: null },
    folders: { data_dir: config.dataDir },
    hints: (address) => [`  for cores  AI_URL=${address}`],
  };
};
