import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../support/child.ts';
import { freshFolder } from '../support/fresh-folder.ts';
import { percentileOf } from '../support/load.ts';
import { limitResult, type Result } from '../support/report.ts';
import { median } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';
import { firstSync } from '../support/sync.ts';
import { worldToChange } from '../world.ts';
import { type BenchProvider, startProvider } from './provider.ts';

const STREAMS = 200;
const ROUNDS = 30;
const SECONDS = 5;
const GETS_A_SECOND = 50;
/** A letter of each answer; it lasts longer than the measurement. */
const PAUSE_MS = 200;

const env = (provider: BenchProvider) => ({
  AI_BASE_URL: provider.url,
  AI_MODEL: 'bench',
  AI_AT_ONCE: String(STREAMS),
});

async function open({ url, token }: Service): Promise<ReadableStreamDefaultReader<string>> {
  const reply = await fetch(`${url}/api/ai/generate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({
      entity_type: 'character',
      entity_id: 'mira',
      target: { fields: ['want', 'need'] },
    }),
  });
  if (!reply.ok || reply.body === null) throw new Error(`a generation answered ${reply.status}`);
  return reply.body.pipeThrough(new TextDecoderStream()).getReader();
}

/** Reads on until the stream says this; false if it ends before. */
async function reads(reader: ReadableStreamDefaultReader<string>, words: string): Promise<boolean> {
  for (let text = ''; ; ) {
    const { value, done } = await reader.read();
    if (done) return false;
    text += value;
    if (text.includes(words)) return true;
  }
}

async function firstBytes(): Promise<number> {
  const provider = await startProvider(null);
  const service = await serviceWith(provider);
  const late: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const reader = await open(service);
    await reads(reader, 'event: delta');
    late.push(performance.now() - provider.wroteAt());
    provider.finish();
    await reads(reader, 'event: proposal');
  }
  await service.stop();
  await provider.close();
  return median(late.slice(ROUNDS / 3));
}

async function serviceWith(provider: BenchProvider): Promise<Service> {
  const content = worldToChange(100, join(freshFolder('ai'), 'content'));
  const service = await startService(content, { env: env(provider) });
  await firstSync(service);
  await service.call('POST', '/api/entity/character', { entity_id: 'mira', name: 'Mira' });
  return service;
}

/** First words behind the provider's, and what many streams at once cost the others. */
export async function run(): Promise<Result[]> {
  const first = await firstBytes();
  const provider = await startProvider(PAUSE_MS);
  const service = await serviceWith(provider);
  try {
    const readers = await Promise.all(Array.from({ length: STREAMS }, () => open(service)));
    const ends = readers.map((reader) => reads(reader, 'event: proposal'));
    while (provider.open() < STREAMS) await sleep(20);
    const gets = await percentileOf(service.url, 0.99, {
      token: service.token,
      paths: ['/api/entity/character/mira'],
      perSecond: GETS_A_SECOND,
      seconds: SECONDS,
    });
    const { highest } = memoryOf(service.child.pid);
    const whole = (await Promise.all(ends)).filter((isWhole) => isWhole).length;
    if (whole < STREAMS) throw new Error(`${STREAMS - whole} of ${STREAMS} streams ended without a proposal`);
    return [
      limitResult('first streamed byte after the provider’s, median', 'ms', first, 15),
      limitResult(`p99 of a neighbour’s get beside ${STREAMS} streams`, 'ms', gets, 100),
      limitResult(`memory with ${STREAMS} streams, peak`, 'MB', highest, 250),
    ];
  } finally {
    await service.stop();
    await provider.close();
  }
}
