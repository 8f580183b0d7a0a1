import { Suspense, useEffect } from 'react';
import { CacheProvider } from '../data/cache-provider.tsx';
import { stay, useLeaveQuestion } from '../data/leave.ts';
import { loadSession, useSession } from '../data/session.ts';
import { useLanguage } from '../kit/i18n/texts.ts';
import { goTo } from '../kit/router/router.ts';
import { late } from '../kit/ui/late.tsx';
import { UiProvider } from '../kit/ui/ui-provider.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { Rooms } from './rooms.tsx';
import { Unreachable } from './unreachable.tsx';

const Doors = late(async () => (await import('./doors.tsx')).Doors);
const LeaveQuestion = late(async () => (await import('./leave-question.tsx')).LeaveQuestion, {
  isAbove: true,
});
const Lapsed = late(async () => (await import('./lapsed.tsx')).Lapsed, { isAbove: true });

export const App = () => (
  <UiProvider locale={useLanguage()} navigate={goTo}>
    <CacheProvider>
      <CrashBoundary>
        <Suspense>
          <Screens />
        </Suspense>
      </CrashBoundary>
    </CacheProvider>
  </UiProvider>
);

/** The doors for users who are not signed in, and the rooms behind them for everybody else. */
function Screens() {
  const session = useSession();
  const isLeaving = useLeaveQuestion();
  useEffect(() => void loadSession(), []);
  if (session.state === 'unknown') return null;
  if (session.state === 'unreachable') return <Unreachable />;
  if (session.state === 'out') return <Doors />;
  return (
    <>
      <Rooms key={session.me.user_id} me={session.me} />
      {session.state === 'lapsed' && (
        <Suspense>
          <Lapsed email={session.me.email} />
        </Suspense>
      )}
      {isLeaving && (
        <Suspense>
          <LeaveQuestion onClose={stay} />
        </Suspense>
      )}
    </>
  );
}
