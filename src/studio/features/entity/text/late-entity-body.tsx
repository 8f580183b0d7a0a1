import { Suspense } from 'react';
import { late } from '../../../kit/ui/late.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import type { EntityBodyProps } from './entity-body.tsx';

const load = async () => (await import('./entity-body.tsx')).EntityBody;
const EntityBody = late(load);

/** Begins while the entity is still on its way. A failure is told when the editor is shown. */
export const preloadEntityBody = (): void => void load().catch(() => undefined);

/** The editor is large: it comes after the rest of the page. */
export const LateEntityBody = (props: EntityBodyProps) => (
  <Suspense fallback={<Skeleton lines={6} height="1.25rem" />}>
    <EntityBody {...props} />
  </Suspense>
);
