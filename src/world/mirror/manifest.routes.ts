import { ReadyJson, type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { diffManifest, getManifest, getManifestEntry, refreshManifest } from './manifest.contract.ts';
import type { Manifests } from './manifest.service.ts';
import type { Mirror } from './mirror.service.ts';
import { succeeded } from './sync-reply.ts';

export function manifestRoutes(options: {
  projects: Projects;
  mirror: Mirror;
  manifests: Manifests;
}): Route[] {
  const { projects, mirror, manifests } = options;
  const refreshedAt = new WeakMap<Project, string>();

  async function refresh(project: Project): Promise<ReadyJson> {
    const before = refreshedAt.get(project) ?? (await manifests.presentTime(project));
    succeeded(await mirror.sync(project, { kind: 'full' }));
    const at = await manifests.presentTime(project);
    const diff = await manifests.changesSince(project, before);
    const manifest = await manifests.text(project);
    refreshedAt.set(project, at);
    return new ReadyJson(
      `{"manifest":${manifest},"diff":${JSON.stringify(diff)},"refreshed_at":${JSON.stringify(at)}}`,
    );
  }

  async function diff(project: Project, since: string): Promise<ReadyJson> {
    const found = await manifests.diff(project, since);
    if (found) return new ReadyJson(`{"type":"diff","diff":${JSON.stringify(found)}}`);
    return new ReadyJson(`{"type":"full","manifest":${await manifests.text(project)}}`);
  }

  return [
    route(
      getManifest,
      async (request) => new ReadyJson(await manifests.text(await requestProject(projects, request))),
    ),
    route(refreshManifest, async (request) => refresh(await requestProject(projects, request))),
    route(diffManifest, async (request) =>
      diff(await requestProject(projects, request), request.query.since),
    ),
    route(getManifestEntry, async (request) =>
      manifests.entry(await requestProject(projects, request), request.params.path),
    ),
  ];
}
