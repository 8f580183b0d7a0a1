import { once } from 'node:events';
import { type LoadedConfig, loadConfig } from '../../kit/config/index.ts';
import { type CliContext, writeLine } from '../context.ts';
import { withDataLock } from '../data-lock.ts';
import { announce, type CloudOptions } from './announce.ts';
import { createOutput } from './output.ts';
import { planServers, planServices, refuseFiles, writeCommandSettings } from './plan.ts';
import { type CloudService, cloudServices, environmentOf } from './services.ts';
import { type Job, type Supervised, supervise } from './supervised.ts';

/** Runs a cloud installation on this machine until the context's stop signal; resolves once every process has ended. */
export async function runCloud(context: CliContext, options: CloudOptions): Promise<void> {
  // With DEPLOYMENT=cloud, settings would be required that only the services get, from us.
  const env = { ...context.env, DEPLOYMENT: 'core' };
  refuseFiles(loadConfig({ env, mode: 'cli', surface: 'accounts' }));
  const loaded = loadConfig({ env, mode: 'start', surface: 'accounts' });
  await withDataLock(loaded.config, () => run(context, loaded, options));
}

async function run(context: CliContext, loaded: LoadedConfig, options: CloudOptions): Promise<void> {
  const { config } = loaded;
  const output = createOutput(config.dataDir);
  const report = (line: string) => {
    if (!options.json) writeLine(context, line);
  };
  const groups: Supervised[][] = [];
  const start = async (jobs: readonly Job[], showLine: (text: string) => void) => {
    const line = (job: Job, text: string) => {
      output.write(job, text);
      showLine(`${job.name} | ${text}`);
    };
    const group = jobs.map((job) => supervise(job, { line, event: report }));
    groups.push(group);
    await allReady(group, context.stop);
  };
  for (const line of loaded.provisioned) report(line);
  try {
    const { servers, addresses } = await planServers(loaded, context.env);
    await start(servers, () => {});
    const settings = await planServices(config, addresses);
    const settingsFile = writeCommandSettings(settings);
    await start(
      cloudServices(settings).map((service) => jobOf(service, context)),
      report,
    );
    if (context.stop.aborted) return;
    announce(context, { ...settings, settingsFile }, groups.flat(), options);
    await once(context.stop, 'abort');
    report('stopping');
  } finally {
    for (const group of groups.reverse()) await stopInTurn(group);
    await output.close();
  }
}

/** Resolves when all processes serve, or earlier on the stop signal. */
async function allReady(group: readonly Supervised[], stop: AbortSignal): Promise<void> {
  if (stop.aborted) return;
  const over = new AbortController();
  const stopped = once(stop, 'abort', { signal: over.signal });
  try {
    await Promise.race([Promise.all(group.map(({ ready }) => ready)), stopped]);
  } finally {
    over.abort();
  }
}

/** The edge stops first, while the services behind it can still answer its running requests. */
async function stopInTurn(group: readonly Supervised[]): Promise<void> {
  for (const process of group.toReversed()) await process.stop();
}

function jobOf(service: CloudService, { env, program }: CliContext): Job {
  return {
    name: service.name,
    address: service.address,
    command: [...program, 'serve', '--surface', service.surface, '--attached'],
    env: environmentOf(service, env),
    answers: async () => (await fetch(`${service.address}/health`)).ok,
  };
}
