import type { Place } from '../domain/places.ts';
import { late } from '../kit/ui/late.tsx';

// The list, where most work begins, is not among the pages that are loaded when they are first shown.

export const ConflictPage = late(
  async () => (await import('../features/conflicts/conflict-page.tsx')).ConflictPage,
);
export const Conflicts = late(async () => (await import('../features/conflicts/conflicts.tsx')).Conflicts);
export const EntityPage = late(loadEntityPage);
export const Find = late(async () => (await import('../features/find/find.tsx')).Find);
export const Findings = late(async () => (await import('../features/findings/findings.tsx')).Findings);
export const Home = late(async () => (await import('../features/home/home.tsx')).Home);
export const ImportPage = late(async () => (await import('../features/import/import-page.tsx')).ImportPage);
export const LayoutPage = late(async () => (await import('../features/types/layout-page.tsx')).LayoutPage);
export const MyAppearance = late(async () => (await import('../features/me/my-appearance.tsx')).MyAppearance);
export const NewEntity = late(async () => (await import('../features/entity/new-entity.tsx')).NewEntity);
export const Plugins = late(async () => (await import('../features/plugins/plugin-pages.tsx')).PluginPages);
export const RecycleBin = late(
  async () => (await import('../features/recycle-bin/recycle-bin.tsx')).RecycleBin,
);
export const Welcome = late(async () => (await import('../features/welcome/welcome.tsx')).Welcome);
export const Worlds = late(async () => (await import('../features/worlds/worlds.tsx')).Worlds);

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
