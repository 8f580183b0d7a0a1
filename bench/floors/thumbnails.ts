import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** Reads each image, scales it down to WebP and writes it, `atOnce` at a time, and nothing else. */
export async function drawAll(
  pictures: readonly string[],
  { side, atOnce, folder }: { side: number; atOnce: number; folder: string },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  sharp.cache(false);
  const left = [...pictures.entries()];
  const draw = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [index, path] = next;
      const webp = await sharp(await readFile(path), { sequentialRead: true })
        .autoOrient()
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer();
      writeFileSync(join(folder, `${index}.webp`), webp);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, draw));
}
