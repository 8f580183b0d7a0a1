import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../kit/config/index.ts';
import type { BlobLimits, BlobPlace } from '../platform/blobs/blobs.ts';
import type { PrivateEndpoints } from '../platform/outgoing/outgoing.ts';
import { isWithin } from '../text/paths.ts';
import type { LocalStorage } from '../world/storage/index.ts';
import { projectFolder } from './folders.ts';
import { openBlobs } from './open-blobs.ts';

export type EndpointSettings = Pick<Config, 'deployment' | 'allowPrivateEndpoints'>;

/** Opens blob stores under the installation's rules for private addresses. */
export function blobOpener(config: EndpointSettings) {
  const privateEndpoints = privateEndpointsOf(config);
  return (place: BlobPlace, limits: BlobLimits) => openBlobs(place, limits, privateEndpoints);
}

/** Decides whether addresses that users enter may lie in the installation's own network. */
export function privateEndpointsOf({
  deployment,
  allowPrivateEndpoints,
}: EndpointSettings): PrivateEndpoints {
  if (deployment === 'cloud') return 'refused';
  return allowPrivateEndpoints ? 'admitted' : 'on_request';
}

export interface ContentPlaces {
  folderOf(projectId: string): string;
  /** Folders of projects that were registered outside the settings. */
  others(): readonly string[];
}

/** Local folders as storage, for a self-hosted core. */
export function localStorage(
  config: Pick<Config, 'dataDir' | 'contentDir'>,
  { folderOf, others }: ContentPlaces = {
    folderOf: (projectId) => projectFolder(config, projectId),
    others: () => [],
  },
): LocalStorage {
  return {
    folderOf,
    async isTaken(path) {
      const places = [path, config.dataDir, config.contentDir, ...others()];
      const [wanted = '', ...own] = await Promise.all(places.map(realFolder));
      return own.some((folder) => isWithin(folder, wanted) || isWithin(wanted, folder));
    },
  };
}

/** A missing path cannot be a link, so it is taken as written. */
const realFolder = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));
