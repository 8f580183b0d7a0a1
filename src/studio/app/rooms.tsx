import { Suspense, useEffect, useState } from 'react';
import { loadAppearance } from '../data/appearance.ts';
import { rememberWorld } from '../data/last-world.ts';
import { useFollowing } from '../data/live.ts';
import type { Me } from '../data/session.ts';
import { useTrailKeeping } from '../data/trail.ts';
import { useTypedName } from '../data/typed-name.ts';
import { askAhead, useTypes } from '../data/types.ts';
import { WorldProvider, worldOf } from '../data/world.tsx';
import { type Place, placeOf } from '../domain/places.ts';
import { EntityList } from '../features/list/entity-list.tsx';
import { Start } from '../features/worlds/start.tsx';
import { useAddress } from '../kit/router/router.ts';
import { PageSkeleton } from '../kit/ui/page-skeleton.tsx';
import { forgetToasts } from '../kit/ui/toasts.tsx';
import { AppCommands } from './app-commands.tsx';
import { enterWorkspace } from './enter-workspace.ts';
import { FocusOnHeading } from './frame/focus-on-heading.ts';
import { Frame } from './frame/frame.tsx';
import {
  ConflictPage,
  Conflicts,
  EntityPage,
  Find,
  Findings,
  Home,
  ImportPage,
  LayoutPage,
  MyAppearance,
  NewEntity,
  Plugins,
  preload,
  RecycleBin,
  Welcome,
  Worlds,
} from './pages.ts';
import { PastDoors } from './past-doors.tsx';
import { Unknown } from './unknown.tsx';
import { WorldFailed } from './world-failed.tsx';

/** Everything behind the doors, by the address. */
export function Rooms({ me }: { me: Me }) {
  const { path, search } = useAddress();
  useEffect(() => void loadAppearance(), []);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => enterWorkspace(me.user_id, setFailure), [me.user_id]);
  useEffect(() => forgetToasts, []);
  useEffect(() => preload(placeOf(location.pathname, location.search)), []);
  if (failure !== null) throw failure;
  const place = placeOf(path, search);
  if ('project' in place) return <WorldRooms key={place.project} me={me} place={place} />;
  return (
    <Suspense>
      <Hall me={me} place={place} />
    </Suspense>
  );
}

type InWorld = Extract<Place, { project: string }>;

/** The pages that belong to no world. */
function Hall({ me, place }: { me: Me; place: Exclude<Place, InWorld> }) {
  if (place.screen === 'account') return <PastDoors />;
  if (place.screen === 'start') return <Start />;
  if (place.screen === 'welcome') return <Welcome me={me} />;
  if (place.screen === 'me') return <MyAppearance />;
  if (place.screen === 'worlds') return <Worlds me={me} begin={place.begin ?? null} />;
  return <Unknown />;
}

function WorldRooms({ me, place }: { me: Me; place: InWorld }) {
  const { data: types, error, refetch } = useTypes(place.project);
  useEffect(() => askAhead(placeOf(location.pathname, location.search)), []);
  useTrailKeeping(place.project, place.screen === 'entity' ? `${place.type}/${place.id}` : null);
  useEffect(() => void rememberWorld(place.project), [place.project]);
  useFollowing(place.project, me.user_id);
  useTypedName(place);
  if (!types) return error && <WorldFailed error={error} onRetry={() => void refetch()} />;
  return (
    <WorldProvider world={worldOf(place.project, me, types)}>
      <AppCommands />
      <Frame>
        <Suspense fallback={<PageSkeleton />}>
          <FocusOnHeading />
          <Room place={place} />
        </Suspense>
      </Frame>
    </WorldProvider>
  );
}

function Room({ place }: { place: InWorld }) {
  if (place.screen === 'home') return <Home />;
  if (place.screen === 'list') return <EntityList key={place.type} type={place.type} />;
  if (place.screen === 'new') return <NewEntity key={place.type} type={place.type} name={place.name ?? ''} />;
  if (place.screen === 'entity') return <EntityPage place={place} />;
  if (place.screen === 'page') return <WorldPage place={place} />;
  if (place.screen === 'plugin') return <Plugins place={place} />;
  if (place.screen === 'layout') return <LayoutPage key={place.type} type={place.type} />;
  return <Unknown />;
}

function WorldPage({ place }: { place: Extract<Place, { screen: 'page' }> }) {
  const { page, item, q } = place;
  if (page === 'find') return <Find asked={q ?? ''} />;
  if (page === 'conflicts') return item === undefined ? <Conflicts /> : <ConflictPage key={item} id={item} />;
  if (page === 'import') return <ImportPage />;
  if (page === 'recycle-bin') return <RecycleBin />;
  if (page === 'findings') return <Findings />;
  if (page === 'plugins') return <Plugins place={place} />;
  return <Unknown />;
}
