import { Suspense } from 'react';
import type { Place } from '../../domain/places.ts';
import { late } from '../../kit/ui/late.tsx';
import { PageSkeleton } from '../../kit/ui/page-skeleton.tsx';

const PluginDetails = late(async () => (await import('./manage/plugin-details.tsx')).PluginDetails);
const PluginPage = late(async () => (await import('./frame/plugin-page.tsx')).PluginPage);
const Plugins = late(async () => (await import('./manage/plugins.tsx')).Plugins);

type PluginPlace = Extract<Place, { screen: 'plugin' | 'page' }>;

/** The pages that plugins have, and those on which they are managed. */
export const PluginPages = ({ place }: { place: PluginPlace }) => (
  <Suspense fallback={<PageSkeleton />}>
    <PageAt place={place} />
  </Suspense>
);

function PageAt({ place }: { place: PluginPlace }) {
  if (place.screen === 'plugin') return <PluginPage key={`${place.plugin} ${place.page}`} {...place} />;
  return place.item === undefined ? <Plugins /> : <PluginDetails key={place.item} id={place.item} />;
}
