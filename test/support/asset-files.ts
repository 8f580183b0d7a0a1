import { rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { type CoreSetup, startCore, type TestCore } from './core.ts';
import { saveFile } from './save-file.ts';

/** The parts of an asset's reply that tests read. */
export interface AssetBody {
  id: string;
  filename: string;
  path: string;
  url: string;
  kind: string;
  mime_type: string;
  size_bytes: number;
  checksum_sha256: string;
  perceptual_hash: string | null;
  placeholder: string | null;
  width: number | null;
  height: number | null;
  duration: number | null;
  media: Record<string, unknown> | null;
  entity_type: string | null;
  entity_id: string | null;
  category: string | null;
  subcategory: string | null;
  status: string;
  tags: string[];
  description: string | null;
  license: string | null;
  created_by: string | null;
  versions: { version: number; checksum_sha256: string; created_by: string | null }[];
  detail: string;
}

export interface AssetWorld {
  core: TestCore;
  /** As an editor or a file-sync tool would. */
  put(path: string, bytes: Uint8Array | string): void;
  remove(path: string): void;
  scan(): Promise<Record<string, unknown>>;
  list(query?: string): Promise<AssetBody[]>;
  at(path: string): Promise<AssetBody>;
  close(): Promise<void>;
}

/** With the entity `character/mira` in an otherwise empty world. */
export async function startAssetWorld(
  setup: Pick<CoreSetup, 'open' | 'contentDir' | 'env'>,
): Promise<AssetWorld> {
  const core = await startCore(setup);
  const place = (path: string) => join(core.contentDir, path);
  const put = (path: string, bytes: Uint8Array | string) => saveFile(place(path), bytes);
  const list = async (query = '') => {
    const reply = await core.call<{ assets: AssetBody[] }>('GET', `/api/assets?limit=200&${query}`);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.assets;
  };
  put('Characters/mira/CH_mira.md', '---\nid: mira\nentity_type: character\nname: Mira\n---\n');
  const world: AssetWorld = {
    core,
    put,
    remove: (path) => rmSync(place(path), { recursive: true }),
    async scan() {
      const reply = await core.call('POST', '/api/assets/scan', { body: {} });
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body;
    },
    list,
    async at(path) {
      const found = (await list()).find((asset) => asset.path === path);
      if (found === undefined) throw new Error(`there is no asset at ${path}`);
      return found;
    },
    close: core.close,
  };
  await world.scan();
  return world;
}

/** One colour with a white square: sizes of one picture look alike, other pictures do not. */
export const picture = (colour: string, size = 64): Promise<Buffer> =>
  sharp({ create: { width: size, height: size, channels: 3, background: colour } })
    .png()
    .toBuffer();
