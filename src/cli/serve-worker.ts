import { systemClock } from '../kit/clock.ts';
import { createWorkerSurface } from '../surfaces/worker.surface.ts';
import type { StartSurface } from './served.ts';

export const startWorkerSurface: StartSurface = async (config, log) => {
  const { app, migrated, close } = await createWorkerSurface({ config, log, clock: systemClock });
  const { dataDir, contentDir } = config;
  return {
    app,
    migrated,
    close,
    folders: { data_dir: dataDir, content_dir: contentDir },
    hints: () => [`  data     ${dataDir}`, `  content  ${contentDir}, a folder for each tenant`],
  };
};
