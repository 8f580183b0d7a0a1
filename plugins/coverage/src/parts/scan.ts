import type { Panel } from '../../../kit/host.ts';
import { addEntity, newResult, newTally, type Reading, type Result, type TypeTally } from './tally.ts';

type Call = Panel['call'];

export interface Progress {
  /** The type that is read, and how much of it. */
  label: string;
  read: number;
  total: number;
  /** Of all types. */
  typesDone: number;
  types: number;
}

export interface ScanOptions {
  wordsPerMinute: number;
  now: Date;
  stop: AbortSignal;
  onProgress: (progress: Progress, result: Result) => void;
}

const PAGE = 200;
/** Entries that come while it is read make no loop without end. */
const MOST_PAGES = 5_000;

/** Reads all entries of all types, page after page. What was read until it is stopped counts. */
export async function scan(call: Call, options: ScanOptions): Promise<Result> {
  const { stop, onProgress, wordsPerMinute } = options;
  const result = newResult(options.now.toISOString());
  const { entity_types: types } = await call('types.list', {});
  for (const [at, { entity_type, label, folder_name }] of types.entries()) {
    if (stop.aborted) return result;
    const schema = await call('types.schema', { entity_type }).catch(() => null);
    const tally = newTally(entity_type, folder_name.split('/').at(-1) ?? label, 0, schema);
    const onPage = ({ read, total }: TypeTally) =>
      onProgress({ label: tally.label, read, total, typesDone: at, types: types.length }, result);
    result.types.push(tally);
    await readType(call, { result, tally, reading: { schema, wordsPerMinute } }, stop, onPage);
  }
  result.isWhole = !stop.aborted;
  return result;
}

interface Into {
  result: Result;
  tally: TypeTally;
  reading: Reading;
}

async function readType(
  call: Call,
  { result, tally, reading }: Into,
  stop: AbortSignal,
  onPage: (tally: TypeTally) => void,
): Promise<void> {
  for (let page = 0; page < MOST_PAGES && !stop.aborted; page += 1) {
    const { entities, total } = await call('entities.list', {
      entity_type: tally.type,
      limit: PAGE,
      offset: page * PAGE,
      // An order that no edit changes meanwhile.
      sort_by: 'entity_id',
      sort_order: 'asc',
    });
    tally.total = total;
    for (const entity of entities) addEntity(result, tally, entity, reading);
    onPage(tally);
    if (entities.length === 0 || (page + 1) * PAGE >= total) return;
  }
}
