import { createDesktop } from '../surfaces/desktop.surface.ts';
import { serveLocally } from './serve-core.ts';
import type { StartSurface } from './served.ts';

export const startDesktopSurface: StartSurface = async (config, log, options) => {
  const served = await serveLocally(createDesktop, config, log, options);
  return {
    ...served,
    hints: async (address) => [
      ...(await served.hints(address)),
      `  folders  curl -s ${address}/api/desktop/projects -H 'content-type: application/json' -d '{"path":"/a/folder/of/yours"}'`,
    ],
  };
};
