import { once } from 'node:events';
import { systemClock } from '../kit/clock.ts';
import { type Config, type LoadedConfig, loadConfig } from '../kit/config/index.ts';
import { messageOf } from '../kit/errors.ts';
import { createFileLog } from '../kit/log/index.ts';
import { type Core, createCore } from '../surfaces/core.surface.ts';
import { logFolder } from '../surfaces/folders.ts';
import { fillContentFolder } from '../surfaces/starter.ts';
import { type CliContext, CommandError, say, sayJson } from './context.ts';
import { withDataLock } from './data-lock.ts';

export interface ServeOptions {
  /** Make what is unset in the data folder. */
  provision: boolean;
  /** Print one JSON document and nothing else. */
  json: boolean;
}

/** Runs the core until the context's stop signal; resolves once everything is written and closed. */
export async function serve(context: CliContext, options: ServeOptions): Promise<void> {
  const loaded = loadConfig({ env: context.env, mode: options.provision ? 'start' : 'serve' });
  await withDataLock(loaded.config, () => run(context, loaded, options));
}

async function run(context: CliContext, loaded: LoadedConfig, options: ServeOptions): Promise<void> {
  const { config } = loaded;
  const log = createFileLog({
    folder: logFolder(config.dataDir),
    name: 'backend-api',
    level: config.logLevel,
    source: 'core',
  });
  try {
    const filled = options.provision && (await fillContentFolder(config.contentDir, { sample: true }));
    const core = await createCore({ config, log, clock: systemClock });
    try {
      const address = await listen(core, config);
      log.info(`listening on ${address}`);
      announce(context, loaded, { address, filled, core, options });
      if (!context.stop.aborted) await once(context.stop, 'abort');
      if (!options.json) say(context, 'stopping');
    } finally {
      await core.close();
    }
  } finally {
    await log.close();
  }
}

async function listen(core: Core, config: Config): Promise<string> {
  const { host, port } = config.bindAddress;
  try {
    await core.app.listen({ host, port });
  } catch (error) {
    throw new CommandError(
      `cannot listen on ${host}:${port}: ${messageOf(error)}. Set BIND_ADDR to a free address`,
    );
  }
  const address = core.app.server.address();
  const bound = typeof address === 'object' ? (address?.port ?? port) : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

const hasTemplates = ({ projects, templates }: Core): boolean =>
  projects.opened().some((project) => (templates.current(project)?.types.size ?? 0) > 0);

function announce(
  context: CliContext,
  loaded: LoadedConfig,
  started: { address: string; filled: boolean; core: Core; options: ServeOptions },
): void {
  const { config, provisioned } = loaded;
  const { address, options } = started;
  if (options.json) {
    const { dataDir: data_dir, contentDir: content_dir } = config;
    sayJson(context, { listening: address, pid: process.pid, data_dir, content_dir });
    return;
  }
  for (const line of provisioned) say(context, line);
  if (started.filled)
    say(context, `filled ${config.contentDir} with the starter templates and a sample world`);
  const { backup } = started.core.migrated;
  if (backup !== null) say(context, `copied the database to ${backup} before changing its tables`);
  say(context, `listening on ${address}`);
  if (!options.provision) return;
  say(context, `  data     ${config.dataDir}`);
  say(context, `  content  ${config.contentDir}`);
  if (!hasTemplates(started.core)) {
    say(
      context,
      '           it has no templates, so no types: npm run canonry -- init --add-templates adds the starter ones',
    );
  }
  say(context, `  next     open ${address}/docs, or register the first user (it becomes the admin):`);
  say(
    context,
    `           curl -s ${address}/api/auth/register -H 'content-type: application/json' -d '{"email":"you@example.com","password":"a long passphrase","display_name":"You"}'`,
  );
}
