import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_TENANT } from '../access/local-tenant.ts';
import { createValidator } from '../kit/http/validation.ts';
import { silentLog } from '../kit/log.ts';
import type { Database } from '../platform/database/database.ts';
import type { StorageTool } from '../surfaces/storage-tool.ts';
import { type Move, type StorageBody, shownLocation, shownMove } from '../world/storage/index.ts';
import { putStorageSettings } from '../world/storage/storage.contract.ts';
import { type CliContext, CommandError, writeError, writeJson, writeLine } from './context.ts';
import { changeMigratedDatabase, readDatabase } from './database.ts';
import { requireSelfHosted, settings } from './project.ts';
import { count, createProgress } from './terminal.ts';

interface Output {
  json?: boolean;
}

type Location = ReturnType<typeof shownLocation>;

const ACTOR = 'cli';
const LOOK_EVERY_MS = 200;
const checkBody = createValidator(putStorageSettings.body, 'body');

function selfHosted(context: CliContext) {
  const config = settings(context);
  requireSelfHosted(config, 'this command');
  if (config.encryptionKey.length === 0)
    throw new CommandError(
      'The storage settings are stored encrypted: start the service once, or set its ENCRYPTION_KEY',
    );
  return config;
}

/** Runs `work` with only the storage of the installation. */
function withStorage<Result>(
  context: CliContext,
  open: typeof readDatabase,
  work: (tool: StorageTool) => Promise<Result>,
): Promise<Result> {
  const config = selfHosted(context);
  return open(config, async (database: Database) => {
    const { openStorageTool } = await import('../surfaces/storage-tool.ts');
    const tool = openStorageTool(config, database, silentLog);
    try {
      return await work(tool);
    } finally {
      await tool.close();
    }
  });
}

const inWords = ({ provider, location, endpoint }: Location): string =>
  location === null
    ? "the installation's own folder"
    : `${provider} ${location}${endpoint ? ` (${endpoint})` : ''}`;

function printMove(context: CliContext, move: Move): void {
  const files = `${move.files_done.toLocaleString('en-US')} of ${count(move.files_total, 'file')}`;
  const way = `from ${inWords(shownLocation(move.from))} to ${inWords(shownLocation(move.to))}`;
  writeLine(context, `Move ${way}: ${move.status}, ${files}`);
  if (move.problem) writeLine(context, `Hindered by: ${move.problem}`);
}

export async function storageStatus(context: CliContext, { json }: Output): Promise<void> {
  const status = await withStorage(context, readDatabase, async (tool) => {
    const [{ place }, set, move] = await Promise.all([
      tool.places.of(LOCAL_TENANT),
      tool.settings.current(LOCAL_TENANT),
      tool.moves.known(LOCAL_TENANT),
    ]);
    return {
      content: shownLocation(place),
      set: shownLocation(set?.place ?? null),
      move: move ?? null,
    };
  });
  if (json) return writeJson(context, { ...status, move: status.move && shownMove(status.move) });
  writeLine(context, `The content is in ${inWords(status.content)}`);
  if (inWords(status.set) !== inWords(status.content))
    writeLine(
      context,
      `The storage that is set is ${inWords(status.set)}: canonry storage move moves the content there`,
    );
  if (status.move) printMove(context, status.move);
}

export async function setStorage(context: CliContext, { json }: Output): Promise<void> {
  const body = bodyOf(await text(context.input));
  const place = await withStorage(context, changeMigratedDatabase, async (tool) => {
    await tool.settings.change(LOCAL_TENANT, body, ACTOR);
    return shownLocation((await tool.settings.current(LOCAL_TENANT))?.place ?? null);
  });
  if (json) return writeJson(context, { set: place });
  writeLine(context, `${inWords(place)} works and is now set; canonry storage move moves the content there`);
}

function bodyOf(json: string): StorageBody {
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch (cause) {
    throw new CommandError('standard input holds no JSON: canonry storage set --help shows an example', {
      cause,
    });
  }
  checkBody(body);
  return body as StorageBody;
}

/** Waits until a move is over and reports obstacles. */
async function follow(context: CliContext, tool: StorageTool): Promise<Move> {
  const progress = createProgress(context);
  let reported: string | null = null;
  try {
    for (;;) {
      context.stop.throwIfAborted();
      const move = await tool.moves.last(LOCAL_TENANT);
      if (move.status !== 'copying') return move;
      if (move.problem !== null && move.problem !== reported) {
        progress.clear();
        writeError(context, `${move.problem}; it is tried again`);
      }
      reported = move.problem;
      progress.show(`copied ${move.files_done} of ${move.files_total}`);
      await sleep(LOOK_EVERY_MS, undefined, { signal: context.stop }).catch(() => undefined);
    }
  } finally {
    progress.clear();
  }
}

async function runMove(
  context: CliContext,
  { json }: Output,
  begin: (tool: StorageTool) => Promise<unknown>,
): Promise<void> {
  const move = await withStorage(context, changeMigratedDatabase, async (tool) => {
    await begin(tool);
    return follow(context, tool);
  });
  if (json) writeJson(context, shownMove(move));
  else printMove(context, move);
  if (move.status !== 'done') throw new CommandError('the move was cancelled before the content arrived');
}

export const moveStorage = (context: CliContext, output: Output): Promise<void> =>
  runMove(context, output, (tool) => tool.moves.start(LOCAL_TENANT, ACTOR));

export const resumeMove = (context: CliContext, output: Output): Promise<void> =>
  runMove(context, output, async (tool) => {
    const move = await tool.moves.known(LOCAL_TENANT);
    if (move?.status !== 'copying')
      throw new CommandError('no move is in progress: canonry storage move starts one');
    await tool.moves.begin();
  });

export async function cancelMove(context: CliContext, { json }: Output): Promise<void> {
  const move = await withStorage(context, changeMigratedDatabase, (tool) => tool.moves.cancel(LOCAL_TENANT));
  if (json) writeJson(context, shownMove(move));
  else printMove(context, move);
}
