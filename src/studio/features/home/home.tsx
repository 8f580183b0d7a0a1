import { useActivity } from '../../data/activity.ts';
import { useProjectName } from '../../data/projects.ts';
import { useNameCounts } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Page } from '../../kit/ui/page.tsx';
import { Changes } from './changes.tsx';
import { EmptyWorld } from './empty-world.tsx';
import { FindingsCard } from './findings-card.tsx';
import styles from './home.module.css';
import { homeTexts } from './home-texts.ts';
import { RecentCard } from './recent-card.tsx';

/** The first page of a world: recent changes, contradictions, and the entities that were open last. */
export function Home() {
  const texts = useTexts(homeTexts);
  const { project } = useWorld();
  const name = useProjectName(project);
  const total = [...useNameCounts(project).values()].reduce((sum, count) => sum + count, 0);
  if (useIsEmpty(project)) {
    return (
      <Page title={name} isWide>
        <EmptyWorld />
      </Page>
    );
  }
  return (
    <Page title={name} isWide {...(total > 0 && { why: texts.entries(total) })}>
      <div className={styles.columns}>
        <Changes />
        <div className={styles.side}>
          <RecentCard />
          <FindingsCard />
        </div>
      </div>
    </Page>
  );
}

/** Nothing was ever written here, or all of it is in the recycle bin. */
function useIsEmpty(project: string): boolean {
  const { changes, isComplete } = useActivity(project);
  return isComplete && changes?.every(({ what }) => what === 'deleted') === true;
}
