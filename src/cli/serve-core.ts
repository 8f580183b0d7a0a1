import { systemClock } from '../kit/clock.ts';
import { createCloudCore } from '../surfaces/cloud.surface.ts';
import { createCore } from '../surfaces/core.surface.ts';
import { fillContentFolder } from '../surfaces/starter.ts';
import { localHints } from './local-hints.ts';
import type { StartSurface } from './served.ts';

export const startCoreSurface: StartSurface = (config, log, options) =>
  config.deployment === 'cloud' ? startInCloud(config, log, options) : startSelfHosted(config, log, options);

const startInCloud: StartSurface = async (config, log) => {
  const { dataDir, contentDir } = config;
  const { app, migrated, close } = await createCloudCore({ config, log, clock: systemClock });
  return {
    app,
    migrated,
    close,
    folders: { data_dir: dataDir, content_dir: contentDir },
    hints: (address) => [
      `  data     ${dataDir}`,
      `  content  ${contentDir}, a folder for each tenant`,
      `  next     open ${address}/docs; people sign in at ${config.accountsUrl}`,
    ],
  };
};

const startSelfHosted: StartSurface = (config, log, options) =>
  serveLocally(createCore, config, log, options);

/** Serves a core of one tenant over a content folder, which is filled first if the options ask for it. */
export async function serveLocally(
  create: typeof createCore,
  ...[config, log, { provision }]: Parameters<StartSurface>
): ReturnType<StartSurface> {
  const { dataDir, contentDir } = config;
  const filled = provision && (await fillContentFolder(contentDir, { sample: true }));
  const core = await create({ config, log, clock: systemClock });
  return {
    app: core.app,
    migrated: core.migrated,
    close: core.close,
    made: filled ? [`filled ${contentDir} with the starter templates and a sample world`] : [],
    folders: { data_dir: dataDir, content_dir: contentDir },
    hints: (address) => localHints(core, config, address),
  };
}
