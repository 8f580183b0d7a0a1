import { fileReply } from '../../kit/http/file-reply.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import {
  addAssetRelationship,
  createAsset,
  getAsset,
  listAssetRelationships,
  listAssets,
  listLinkedAssets,
  updateAsset,
  updateAssetStatus,
} from './assets.contract.ts';
import { type Assets, wordsOf } from './assets.service.ts';
import { getFile } from './files.contract.ts';
import type { AssetFiles } from './files.service.ts';
import { scanAssets, scanEntityAssets } from './scan.contract.ts';
import type { Scans } from './scan.service.ts';

export interface AssetRoutesOptions {
  projects: Projects;
  assets: Assets;
  scans: Scans;
  files: AssetFiles;
}

export function assetRoutes({ projects, assets, scans, files }: AssetRoutesOptions): Route[] {
  return [
    route(listAssets, async (request) => {
      const { offset = 0, limit = 50, sort = 'path', order = 'asc', ...query } = request.query;
      const { search, tags, ...filter } = query;
      const project = await requestProject(projects, request);
      const words = { words: wordsOf(search), tags: listOf(tags) };
      return assets.list(project, { ...filter, ...words }, { sort, order, offset, limit });
    }),
    route(listLinkedAssets, async (request) => {
      const { offset = 0, limit = 50, entity_type, entity_id } = request.query;
      const project = await requestProject(projects, request);
      const filter = { entity_type, entity_id, linked: true };
      return assets.list(project, filter, { sort: 'path', order: 'asc', offset, limit });
    }),
    route(getAsset, async (request) =>
      assets.get(await requestProject(projects, request), request.params.id),
    ),
    route(createAsset, async (request) => {
      const { path, ...entry } = request.body;
      return assets.describe(await requestProject(projects, request), path, entry, callerOf(request).userId);
    }),
    route(updateAsset, async (request) =>
      assets.update(await requestProject(projects, request), request.params.id, request.body),
    ),
    route(updateAssetStatus, async (request) =>
      assets.setStatus(await requestProject(projects, request), request.params.id, request.body.status),
    ),
    route(addAssetRelationship, async (request) =>
      assets.relate(await requestProject(projects, request), request.params.id, request.body),
    ),
    route(listAssetRelationships, async (request) =>
      assets.relationships(await requestProject(projects, request), request.params.id),
    ),
    route(scanAssets, async (request) => scans.all(await requestProject(projects, request))),
    route(scanEntityAssets, async (request) =>
      scans.entity(await requestProject(projects, request), request.params.type, request.params.id),
    ),
    route(getFile, async (request) => {
      const project = await requestProject(projects, request);
      const { openToAll } = request;
      const file = await files.open(project, request.params.path, { version: request.query.v, openToAll });
      return fileReply(file, request.headers);
    }),
  ];
}

export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
