import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { systemClock } from '../kit/clock.ts';
import { type Config, type LoadedConfig, loadConfig } from '../kit/config/index.ts';
import { messageOf } from '../kit/errors.ts';
import { createFileLog } from '../kit/log/index.ts';
import { acquirePidFile } from '../kit/pid-file.ts';
import { type Core, createCore } from '../surfaces/core.surface.ts';
import { logFolder, pidFile } from '../surfaces/folders.ts';
import { fillContentFolder } from '../surfaces/starter.ts';
import { type CliContext, CommandError, say } from './context.ts';

/** Runs the core until the context's stop signal; resolves once everything is written and closed. */
export async function serve(context: CliContext, options: { provision: boolean }): Promise<void> {
  const loaded = loadConfig({ env: context.env, mode: options.provision ? 'start' : 'serve' });
  const { config } = loaded;
  await mkdir(config.dataDir, { recursive: true });
  const lock = await acquirePidFile(pidFile(config.dataDir));
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
      announce(context, loaded, { address, filled, core, provision: options.provision });
      if (!context.stop.aborted) await once(context.stop, 'abort');
      say(context, 'stopping');
    } finally {
      await core.close();
    }
  } finally {
    await log.close();
    lock.release();
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

function announce(
  context: CliContext,
  loaded: LoadedConfig,
  started: { address: string; filled: boolean; core: Core; provision: boolean },
): void {
  const { config, provisioned } = loaded;
  for (const line of provisioned) say(context, line);
  if (started.filled)
    say(context, `filled ${config.contentDir} with the starter templates and a sample world`);
  const { backup } = started.core.migrated;
  if (backup !== null) say(context, `copied the database to ${backup} before changing its tables`);
  say(context, `listening on ${started.address}`);
  if (!started.provision) return;
  say(context, `  data     ${config.dataDir}`);
  say(context, `  content  ${config.contentDir}`);
  say(context, `  next     open ${started.address}/docs, or register the first user (it becomes the admin):`);
  say(
    context,
    `           curl -s ${started.address}/api/auth/register -H 'content-type: application/json' -d '{"email":"you@example.com","password":"a long passphrase","display_name":"You"}'`,
  );
}
