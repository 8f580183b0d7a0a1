import { type ComponentType, lazy } from 'react';
import type { Place } from '../domain/places.ts';

/** A page that is loaded when it is first shown. The list, where most work begins, is not among them. */
const page = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load() }));

export const ConflictPage = page(
  async () => (await import('../features/conflicts/conflict-page.tsx')).ConflictPage,
);
export const Conflicts = page(async () => (await import('../features/conflicts/conflicts.tsx')).Conflicts);
export const EntityPage = page(loadEntityPage);
export const Find = page(async () => (await import('../features/find/find.tsx')).Find);
export const Findings = page(async () => (await import('../features/findings/findings.tsx')).Findings);
export const Home = page(async () => (await import('../features/home/home.tsx')).Home);
export const ImportPage = page(async () => (await import('../features/import/import-page.tsx')).ImportPage);
export const MyAppearance = page(async () => (await import('../features/me/my-appearance.tsx')).MyAppearance);
export const NewEntity = page(async () => (await import('../features/entity/new-entity.tsx')).NewEntity);
export const RecycleBin = page(
  async () => (await import('../features/recycle-bin/recycle-bin.tsx')).RecycleBin,
);
export const Welcome = page(async () => (await import('../features/welcome/welcome.tsx')).Welcome);
export const Worlds = page(async () => (await import('../features/worlds/worlds.tsx')).Worlds);

async function loadEntityPage() {
  return (await import('../features/entity/entity-page.tsx')).EntityPage;
}

/**
 * The page of an entity is the largest: it is loaded while the service is asked for the types of the world. A failure
 * is told by the page, which asks again.
 */
export function preload({ screen }: Place): void {
  if (screen === 'entity') loadEntityPage().catch(() => undefined);
}
