import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { drawAll } from './floors/thumbnails.ts';
import { cpuSecondsOf } from './support/child.ts';
import { freshFolder } from './support/fresh-folder.ts';
import { type Result, ratioResult, shareResult } from './support/report.ts';
import { inTurns, median } from './support/rounds.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { worldToChange } from './world.ts';

const PICTURES = 24;
const SIDE = 512;
const ROUNDS = 5;
/** As many as a browser requests at a time; the service draws two of them at once. */
const ASKING = 6;
const DRAWING = 2;

interface Pictures {
  total: number;
  assets: { id: string; width: number | null }[];
}

/** Different photographs of 6 million pixels each. */
async function writePictures(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const paths: string[] = [];
  for (let index = 0; index < PICTURES; index += 1) {
    const noise = { type: 'gaussian', mean: 100 + index, sigma: 40 } as const;
    const small = await sharp({
      create: { width: 300, height: 200, channels: 3, background: 'black', noise },
    })
      .png()
      .toBuffer();
    const path = join(folder, `photo_${index}.jpg`);
    writeFileSync(path, await sharp(small).resize(3000, 2000).jpeg({ quality: 90 }).toBuffer());
    paths.push(path);
  }
  return paths;
}

/** The images' ids, once all of them have been measured by the service. */
async function measured(service: Service): Promise<string[]> {
  for (;;) {
    const { total, assets } = await service.call<Pictures>('GET', '/api/assets?kind=image&limit=100');
    if (total === PICTURES && assets.every(({ width }) => width !== null)) return assets.map(({ id }) => id);
    await sleep(100);
  }
}

async function askForAll(service: Service, ids: readonly string[]): Promise<void> {
  const left = [...ids];
  const ask = async () => {
    for (let id = left.pop(); id; id = left.pop()) {
      const reply = await fetch(`${service.url}/api/assets/${id}/thumbnail?size=${SIDE}`);
      if (!reply.ok) throw new Error(await reply.text());
      await reply.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: ASKING }, ask));
}

/** Thumbnails per second, and the CPU time of a process for each. */
function meter(pid: number) {
  const milliseconds: number[] = [];
  return {
    async perSecond(work: () => Promise<void>): Promise<number> {
      const [started, before] = [performance.now(), cpuSecondsOf(pid)];
      await work();
      milliseconds.push(((cpuSecondsOf(pid) - before) * 1000) / PICTURES);
      return (PICTURES * 1000) / (performance.now() - started);
    },
    milliseconds: () => median(milliseconds),
  };
}

/** New thumbnails over HTTP: read, checked, drawn, stored and sent. */
export async function run(): Promise<Result[]> {
  const folder = freshFolder('thumbnails');
  const content = worldToChange(1, join(folder, 'content'));
  const pictures = await writePictures(join(content.folder, 'Assets'));
  const service = await startService(content);
  try {
    await firstSync(service);
    const ids = await measured(service);
    const [ours, floor] = [meter(service.child.pid), meter(process.pid)];
    const pair = await inTurns(ROUNDS, {
      ours: () => {
        rmSync(join(service.dataDir, 'thumbnails', 'local'), { recursive: true, force: true });
        return ours.perSecond(() => askForAll(service, ids));
      },
      floor: () => {
        const made = freshFolder('thumbnails-floor');
        return floor.perSecond(() => drawAll(pictures, { side: SIDE, atOnce: DRAWING, folder: made }));
      },
    });
    const what = `thumbnails of ${SIDE} pixels, from photographs of 6 million pixels`;
    return [
      ratioResult(what, 'thumbnails/s', pair, { atLeast: 0.8 }),
      shareResult('CPU time per thumbnail', 'ms', ours.milliseconds(), floor.milliseconds()),
    ];
  } finally {
    await service.stop();
  }
}
