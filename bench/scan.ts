import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { assetWorld } from './asset-world.ts';
import { cpuSecondsOf, startChild } from './support/child.ts';
import { freshFolder } from './support/fresh-folder.ts';
import { type Result, ratioResult, shareResult } from './support/report.ts';
import { inTurns, median } from './support/rounds.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { milliseconds, walk } from './support/walk.ts';

const FILES = 20_000;
const FIRST_ROUNDS = 5;
const FLOOR = join(import.meta.dirname, 'floors', 'hash-folder.ts');
const PARTS = ['Characters', '_Templates'];

const microsecondsOfOne = (seconds: number): number => (seconds * 1e6) / FILES;

interface Report {
  total: number;
  added: number;
}

async function timedScan(service: Service): Promise<{ took: number; report: Report }> {
  const started = performance.now();
  const report = await service.call<Report>('POST', '/api/assets/scan', {});
  if (report.total !== FILES) throw new Error(`unexpected: ${JSON.stringify(report)}`);
  return { took: performance.now() - started, report };
}

/** Scans over HTTP: of a folder new to the database, and of an unchanged one. */
export async function run(): Promise<Result[]> {
  const { folder } = assetWorld(FILES);
  const empty = { folder: freshFolder('content'), count: 0 };
  const move = (from: string, to: string) => {
    for (const part of PARTS) renameSync(join(from, part), join(to, part));
  };
  const start = async (content: { folder: string; count: number }) => {
    const service = await startService(content, { env: { SWEEP_INTERVAL: '3600s' } });
    await firstSync(service);
    return service;
  };
  const cpu = { ours: [] as number[], floor: [] as number[] };
  const first = await inTurns(FIRST_ROUNDS, {
    async ours() {
      freshFolder('content');
      const service = await start(empty);
      move(folder, empty.folder);
      try {
        const before = cpuSecondsOf(service.child.pid);
        const { took } = await timedScan(service);
        cpu.ours.push(microsecondsOfOne(cpuSecondsOf(service.child.pid) - before));
        return (FILES * 1000) / took;
      } finally {
        await service.stop();
        move(empty.folder, folder);
      }
    },
    async floor() {
      const [took = '', ofCpu = ''] = (await startChild([FLOOR, join(folder, 'Characters')]).done()).split(
        ' ',
      );
      cpu.floor.push(microsecondsOfOne(Number(ofCpu) / 1000));
      return (FILES * 1000) / Number(took);
    },
  });
  const service = await start({ folder, count: FILES });
  try {
    const again = await inTurns(7, {
      ours: async () => (await timedScan(service)).took,
      floor: async () => milliseconds(() => void walk(folder)),
    });
    return [
      ratioResult(`scan of ${FILES} new files`, 'files/s', first, { atLeast: 0.5 }),
      shareResult('CPU time per new file', 'µs', median(cpu.ours), median(cpu.floor)),
      ratioResult(`scan of ${FILES} unchanged files`, 'ms', again, { atMost: 3 }),
    ];
  } finally {
    await service.stop();
  }
}
