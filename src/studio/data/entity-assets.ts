import { useQuery } from '@tanstack/react-query';
import { type Api, apiOf } from './api.ts';
import { cache, keys } from './cache.ts';
import type { EntityAddress } from './entity.ts';

type Asset = Awaited<ReturnType<Api['listLinkedAssets']>>['assets'][number];

export interface Picture {
  src: string;
  width: number;
  height: number;
  alt: string;
}

/** The pictures of an entity, by the path by which its text and fields name them, such as `images/portrait.png`. */
export function usePictures({ project, type, id }: EntityAddress): ReadonlyMap<string, Picture> {
  const { data } = useQuery({
    queryKey: keys.assets(project, type, id),
    queryFn: async ({ signal }) => {
      const query = { entity_type: type, entity_id: id, limit: 200 };
      const { assets } = await apiOf(project).listLinkedAssets({ query, signal });
      return new Map(assets.flatMap((asset) => pictureOf(project, id, asset)));
    },
  });
  return data ?? NONE;
}

const NONE: ReadonlyMap<string, Picture> = new Map();

function pictureOf(project: string, id: string, asset: Asset): [string, Picture][] {
  const { kind, path, url, width, height, checksum_sha256, description, filename } = asset;
  if (kind !== 'image' || width === null || height === null) return [];
  const folder = `/${id}/`;
  const at = path.indexOf(folder);
  const named = at < 0 ? path : path.slice(at + folder.length);
  const query = new URLSearchParams({ project_id: project, v: checksum_sha256 });
  return [[named, { src: `${url}?${query}`, width, height, alt: description ?? filename }]];
}

/** Uploads a picture to an entity. Returns the path by which its text names it. */
export async function uploadPicture({ project, type, id }: EntityAddress, file: File): Promise<string> {
  const asset = await apiOf(project).uploadEntityFile({ params: { type, id }, body: {}, files: { file } });
  await cache.invalidateQueries({ queryKey: keys.assets(project, type, id) });
  const [named] = pictureOf(project, id, asset)[0] ?? [asset.filename];
  return named;
}
