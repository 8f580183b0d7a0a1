import { systemClock } from '../kit/clock.ts';
import { createCloudCore } from '../surfaces/cloud.surface.ts';
import { type Core, createCore } from '../surfaces/core.surface.ts';
import { fillContentFolder } from '../surfaces/starter.ts';
import type { StartSurface } from './served.ts';

const hasTemplates = ({ projects, templates }: Core): boolean =>
  projects.opened().some((project) => (templates.current(project)?.types.size ?? 0) > 0);

export const startCoreSurface: StartSurface = (config, log, options) =>
  config.deployment === 'cloud' ? startInCloud(config, log, options) : startSelfHosted(config, log, options);

const startInCloud: StartSurface = async (config, log) => {
  const { dataDir, contentDir } = config;
  const { app, migrated, close } = await createCloudCore({ config, log, clock: systemClock });
  return {
    app,
    migrated,
    close,
    made: [],
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

/** Serves a core of one tenant, over a content folder that is filled first where that is asked for. */
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
    hints: (address) => [
      `  data     ${dataDir}`,
      `  content  ${contentDir}`,
      ...(hasTemplates(core)
        ? []
        : [
            '           it has no templates, so no types: npm run canonry -- init --add-templates adds the starter ones',
          ]),
      `  next     open ${address}/docs, or register the first user (it becomes the admin):`,
      `           curl -s ${address}/api/auth/register -H 'content-type: application/json' -d '{"email":"you@example.com","password":"a long passphrase","display_name":"You"}'`,
    ],
  };
}
