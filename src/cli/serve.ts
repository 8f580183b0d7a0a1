import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type Config, type LoadedConfig, loadConfig, type Surface } from '../kit/config/index.ts';
import { messageOf } from '../kit/errors.ts';
import { createFileLog } from '../kit/log/index.ts';
import { logFolder } from '../surfaces/folders.ts';
import { type CliContext, CommandError, writeJson, writeLine } from './context.ts';
import { withDataLock } from './data-lock.ts';
import type { Served, ServeOptions, StartSurface } from './served.ts';
import { requireSetFolder } from './set-folder.ts';

/** Each surface loads only its own part of the service. */
const START: Readonly<Record<Surface, () => Promise<StartSurface>>> = {
  core: async () => (await import('./serve-core.ts')).startCoreSurface,
  accounts: async () => (await import('./serve-accounts.ts')).startAccountsSurface,
  edge: async () => (await import('./serve-edge.ts')).startEdgeSurface,
  desktop: async () => (await import('./serve-desktop.ts')).startDesktopSurface,
  ai: async () => (await import('./serve-ai.ts')).startAiSurface,
  worker: async () => (await import('./serve-worker.ts')).startWorkerSurface,
};

/** Runs a surface until the context's stop signal; resolves once everything is written and closed. */
export async function serve(context: CliContext, options: ServeOptions): Promise<void> {
  const loaded = loadConfig({
    env: context.env,
    mode: options.provision ? 'start' : 'serve',
    surface: options.surface,
  });
  if (servesFolder(loaded, options)) await requireSetFolder(context, loaded.config.contentDir);
  await withDataLock(loaded.config, () => run(context, loaded, options));
}

/** True if it serves the content folder that the user set, not the default one, which a start creates itself. */
const servesFolder = ({ config, sources }: LoadedConfig, { surface }: ServeOptions): boolean =>
  (surface === 'core' || surface === 'desktop') &&
  config.deployment === 'core' &&
  sources.CONTENT_DIR === 'environment';

async function run(context: CliContext, loaded: LoadedConfig, options: ServeOptions): Promise<void> {
  const { config } = loaded;
  const log = createFileLog({
    folder: logFolder(config.dataDir),
    name: options.surface === 'ai' ? 'ai-service' : 'backend-api',
    level: config.logLevel,
    source: options.surface,
  });
  try {
    const start = await START[options.surface]();
    const served = await start(config, log, options);
    try {
      const address = await listen(served, config);
      log.info(`listening on ${address}`);
      await announce(context, loaded, { address, served, options });
      const stop = options.attached ? AbortSignal.any([context.stop, endOf(context.input)]) : context.stop;
      if (!stop.aborted) await once(stop, 'abort');
      if (!options.json) writeLine(context, 'stopping');
    } finally {
      await served.close();
    }
  } finally {
    await log.close();
  }
}

/** Aborts at the end of the input. */
function endOf(input: CliContext['input']): AbortSignal {
  const ended = new AbortController();
  const end = () => ended.abort();
  void text(input).then(end, end);
  return ended.signal;
}

async function listen({ app }: Served, config: Config): Promise<string> {
  const { host, port } = config.bindAddress;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new CommandError(
      `cannot listen on ${host}:${port}: ${messageOf(error)}. Set BIND_ADDR to a free address`,
    );
  }
  const address = app.server.address();
  const bound = typeof address === 'object' ? (address?.port ?? port) : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

async function announce(
  context: CliContext,
  { provisioned }: LoadedConfig,
  started: { address: string; served: Served; options: ServeOptions },
): Promise<void> {
  const { address, served, options } = started;
  if (options.json) {
    writeJson(context, { listening: address, pid: process.pid, ...served.folders });
    return;
  }
  for (const line of [...provisioned, ...(served.made ?? [])]) writeLine(context, line);
  const { backup } = served.migrated;
  if (backup !== null) writeLine(context, `copied the database to ${backup} before changing its tables`);
  writeLine(context, `listening on ${address}`);
  if (options.provision) for (const line of await served.hints(address)) writeLine(context, line);
}
