import { join } from 'node:path';
import type { PluginManifest } from '../../content/plugins/index.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { GuestError, type Guests } from '../../platform/guests/guests.ts';
import { openGuests } from '../../surfaces/plugin-tools.ts';
import { type CliContext, CommandError, EXIT, type ExitCode, writeJson, yieldToSignals } from '../context.ts';
import { count, createProgress } from '../terminal.ts';
import { placeBuilt } from './build.ts';
import { type BuiltPlugin, buildPlugin } from './build-plugin.ts';
import { pluginFolder } from './folder.ts';
import { createGuestRun, type EntityOutcome, type GuestRun } from './guest-run.ts';
import { hasErrors } from './problems.ts';
import type { PlacesIn } from './source-places.ts';
import { createTestHost } from './test-host.ts';
import { type GuestReport, printReport } from './test-report.ts';
import { readWorld, type TestEntity, type TestWorld } from './test-world.ts';

export interface TestOptions {
  content?: string;
  type?: string;
  id?: string;
  within?: string;
  json?: boolean;
}

/** Checks a plugin, and calls its guest with each entity of a content folder. Nothing is saved. */
export async function testPlugin(
  context: CliContext,
  typed: string | undefined,
  options: TestOptions,
): Promise<ExitCode> {
  const folder = await pluginFolder(context, typed);
  const built = await buildPlugin(folder);
  await placeBuilt(folder, built);
  const report = { problems: built.problems, guest: await testGuest(context, folder, built, options) };
  if (options.json) writeJson(context, report);
  else printReport(context, report);
  const isFine = !hasErrors(report.problems) && (report.guest?.failures.length ?? 0) === 0;
  return isFine ? EXIT.ok : EXIT.findings;
}

async function testGuest(
  context: CliContext,
  folder: string,
  { manifest, files, placesIn }: BuiltPlugin,
  options: TestOptions,
): Promise<GuestReport | null> {
  const component = manifest?.backend ? files?.get(manifest.backend.entry) : undefined;
  if (!manifest || !component) return null;
  const deadlineMs = deadlineOf(options);
  const world = await readWorld(context, options.content);
  const entities = chosen(world, options);
  const guests = openGuests(join(folder, '.canonry', 'translated'));
  try {
    return await run(context, guests, { manifest, component, world, entities, placesIn, deadlineMs });
  } finally {
    await guests.close();
  }
}

function deadlineOf({ within }: TestOptions): number | null {
  if (within === undefined) return null;
  if (/^[1-9]\d{0,5}$/.test(within)) return Number(within);
  throw new CommandError(`--within takes milliseconds, such as 1000, not '${within}'`);
}

function chosen(world: TestWorld, { type, id }: TestOptions): TestEntity[] {
  const found = world.entities.filter(
    (entity) => (type === undefined || entity.entityType === type) && (id === undefined || entity.id === id),
  );
  if (found.length > 0 || (type === undefined && id === undefined)) return found;
  throw new CommandError(
    `${world.folder} has no such entity: --type and --id name those to call the guest with`,
  );
}

interface Trial {
  manifest: PluginManifest;
  component: Uint8Array;
  world: TestWorld;
  entities: readonly TestEntity[];
  placesIn: PlacesIn;
  /** Null: each hook has what the service gives it. */
  deadlineMs: number | null;
}

async function run(context: CliContext, guests: Guests, trial: Trial): Promise<GuestReport> {
  const { manifest, component, world, entities, placesIn, deadlineMs } = trial;
  const guest = guests.open(manifest.id, { hash: sha256Hex(component), read: async () => component });
  const { exports } = await guest.shape().catch(refused);
  const host = createTestHost(world, manifest);
  const guestRun = createGuestRun(guest, host, deadlineMs);
  await guestRun.call('get-info', []);
  const outcomes = exports.includes('hooks') ? await liveAll(context, guestRun, entities) : [];
  return {
    content: world.folder,
    exports,
    entities: outcomes,
    times: guestRun.times(),
    failures: guestRun.failures.map((failure) => ({ ...failure, message: placesIn(failure.message) })),
    gave_up: guestRun.isOver(),
    log: host.lines,
    would_do: host.wouldDo,
  };
}

function refused(error: unknown): never {
  if (!(error instanceof GuestError)) throw error;
  throw new CommandError(`a service would refuse the guest: ${error.message}`, { cause: error });
}

async function liveAll(
  context: CliContext,
  guestRun: GuestRun,
  entities: readonly TestEntity[],
): Promise<EntityOutcome[]> {
  const progress = createProgress(context);
  const outcomes: EntityOutcome[] = [];
  await guestRun.call('on-project-init', [JSON.stringify({ id: DEFAULT_PROJECT, name: DEFAULT_PROJECT })]);
  for (const entity of entities) {
    if (guestRun.isOver()) break;
    await yieldToSignals(context);
    outcomes.push(await guestRun.live(entity));
    progress.show(`${count(outcomes.length, 'entity', 'entities')} of ${entities.length}`);
  }
  progress.clear();
  return outcomes;
}
