import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { beep, wav } from './sounds.ts';

/** A file of a mixed folder. */
export interface MixedFile {
  path: string;
  kind: 'image' | 'audio' | 'model' | 'data' | 'document' | 'other';
  mime: string;
  /** Size in pixels as shown, if it can be drawn. */
  shown?: [number, number];
  isBroken?: boolean;
  /** The file with the same bytes. */
  copyOf?: string;
  /** The larger picture that it was made from. */
  printOf?: string;
}

const ENTITIES = 25;
const [WIDTH, HEIGHT] = [96, 64];
/** Of a scene, in both directions. */
const SQUARES = { across: 9, down: 8 };

/** Squares whose greys follow from the seed, so that no two seeds look alike. */
function scene(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  let grey = 0;
  const greys = Buffer.alloc(SQUARES.across * SQUARES.down).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // Different enough from its neighbour that a JPEG keeps which of them is brighter.
    grey = (grey + 40 + ((state >>> 16) % 176)) & 255;
    return grey;
  });
  const raw = { width: SQUARES.across, height: SQUARES.down, channels: 1 } as const;
  return sharp(greys, { raw }).resize(WIDTH, HEIGHT, { fit: 'fill', kernel: 'nearest' });
}

/** Nothing but its JSON. */
export function glb(json: object): Buffer {
  const text = Buffer.from(JSON.stringify(json));
  const head = Buffer.alloc(20);
  head.write('glTF');
  for (const [index, value] of [2, 20 + text.length, text.length, 0x4e4f534a].entries())
    head.writeUInt32LE(value, 4 + index * 4);
  return Buffer.concat([head, text]);
}

type Made = Omit<MixedFile, 'path'> & { name: string; bytes: Uint8Array };

const SHOWN: [number, number] = [WIDTH, HEIGHT];
const upright = { kind: 'image', shown: SHOWN } as const;

/** One file of each kind; a dozen in all. */
async function dozen(seed: number): Promise<Made[]> {
  const png = await scene(seed).png().toBuffer();
  const turned = await scene(seed + 0.25)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><title>${seed}</title></svg>`;
  const model = { asset: { version: '2.0', generator: `number ${seed}` }, nodes: [{}] };
  return [
    { name: 'images/scene.png', mime: 'image/png', ...upright, bytes: png },
    { name: 'images/turned.jpg', mime: 'image/jpeg', kind: 'image', shown: [HEIGHT, WIDTH], bytes: turned },
    {
      name: 'images/web.webp',
      mime: 'image/webp',
      ...upright,
      bytes: await scene(seed + 0.5)
        .webp()
        .toBuffer(),
    },
    {
      name: 'images/old.gif',
      mime: 'image/gif',
      ...upright,
      bytes: await scene(seed + 0.75)
        .gif()
        .toBuffer(),
    },
    { name: 'images/logo.svg', mime: 'image/svg+xml', kind: 'image', bytes: Buffer.from(svg) },
    { name: 'images/copy.png', mime: 'image/png', ...upright, bytes: png, copyOf: 'images/scene.png' },
    {
      name: 'images/print.jpg',
      mime: 'image/jpeg',
      kind: 'image',
      shown: [WIDTH / 2, HEIGHT / 2],
      bytes: await sharp(png)
        .resize(WIDTH / 2)
        .jpeg({ quality: 90 })
        .toBuffer(),
      printOf: 'images/scene.png',
    },
    {
      name: 'images/broken.png',
      mime: 'image/png',
      kind: 'image',
      isBroken: true,
      bytes: Buffer.concat([png.subarray(0, png.length >> 1), Buffer.from(String(seed))]),
    },
    { name: 'audio/theme.wav', mime: 'audio/wav', kind: 'audio', bytes: wav(0.1 + seed / 1000, beep()) },
    { name: 'models/cube.glb', mime: 'model/gltf-binary', kind: 'model', bytes: glb(model) },
    {
      name: 'data/facts.json',
      mime: 'application/json',
      kind: 'data',
      bytes: Buffer.from(`{"number":${seed}}`),
    },
    { name: 'data/words.txt', mime: 'text/plain', kind: 'document', bytes: Buffer.from(`number ${seed}\n`) },
  ];
}

const folderOf = (index: number): string => {
  const place = `Characters/person_${index % ENTITIES}`;
  return index % 5 === 4 ? `Assets/set_${index}` : `${place}/set_${index}`;
};

/** Entities and about `count` files of all kinds; resolves to a list of them. */
export async function writeMixedAssets(contentDir: string, count: number): Promise<MixedFile[]> {
  const put = (path: string, bytes: Uint8Array | string) => {
    mkdirSync(dirname(join(contentDir, path)), { recursive: true });
    writeFileSync(join(contentDir, path), bytes);
  };
  for (let index = 0; index < ENTITIES; index += 1)
    put(
      `Characters/person_${index}/CH_person_${index}.md`,
      `---\nid: person_${index}\nentity_type: character\nname: Person ${index}\n---\n`,
    );
  const files: MixedFile[] = [];
  for (let index = 0; files.length < count; index += 1) {
    const folder = folderOf(index);
    for (const { name, bytes, copyOf, printOf, ...what } of await dozen(index)) {
      put(`${folder}/${name}`, bytes);
      // Outside an entity's folder, data is no asset.
      if (folder.startsWith('Assets/') && name.startsWith('data/')) continue;
      files.push({
        ...what,
        path: `${folder}/${name}`,
        ...(copyOf && { copyOf: `${folder}/${copyOf}` }),
        ...(printOf && { printOf: `${folder}/${printOf}` }),
      });
    }
  }
  return files;
}
