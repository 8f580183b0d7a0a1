import { Suspense } from 'react';
import { useConflictCount, useFindingCount } from '../../data/counts.ts';
import { useEnabledPlugins } from '../../data/plugins/plugins.ts';
import { useNameCounts } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { late } from '../../kit/ui/late.tsx';
import { appTexts } from '../app-texts.ts';
import { openPalette } from '../palette/palette-state.ts';
import { MeMenu } from './me-menu.tsx';
import { SaveLine } from './save-line.tsx';
import styles from './sidebar.module.css';
import { SidebarEntries, SidebarEntry } from './sidebar-entry.tsx';
import { WorldMenu } from './world-menu.tsx';

const EnabledPlugins = late(async () => (await import('../plugins/enabled-plugins.tsx')).EnabledPlugins);

export function Sidebar() {
  const texts = useTexts(appTexts);
  const { project, types } = useWorld();
  const counts = useNameCounts(project);
  const findings = useFindingCount(project);
  const conflicts = useConflictCount(project);
  const plugins = useEnabledPlugins(project);
  return (
    <nav className={styles.sidebar} aria-label={texts.navigation}>
      <WorldMenu />
      <button type="button" className={styles.go} onClick={() => openPalette()}>
        <span>{texts.goOrDo}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div className={styles.scroll}>
        <ul className={styles.list}>
          <SidebarEntry place={{ screen: 'home', project }} label={texts.home} />
          <SidebarEntry
            place={{ screen: 'page', project, page: 'findings' }}
            label={texts.findings}
            count={findings}
            isAlert
          />
          {conflicts > 0 && (
            <SidebarEntry
              place={{ screen: 'page', project, page: 'conflicts' }}
              label={texts.conflicts}
              count={conflicts}
            />
          )}
        </ul>
        <SidebarEntries heading={texts.types}>
          {types.map(({ type, plural, color }) => (
            <SidebarEntry
              key={type}
              place={{ screen: 'list', project, type }}
              label={plural}
              color={color}
              count={counts.get(type) ?? 0}
            />
          ))}
        </SidebarEntries>
        <Suspense>{plugins.length > 0 && <EnabledPlugins plugins={plugins} />}</Suspense>
        <SidebarEntries heading={texts.world}>
          <SidebarEntry place={{ screen: 'page', project, page: 'import' }} label={texts.import} />
          <SidebarEntry place={{ screen: 'page', project, page: 'plugins' }} label={texts.plugins} />
          <SidebarEntry place={{ screen: 'page', project, page: 'recycle-bin' }} label={texts.recycleBin} />
        </SidebarEntries>
      </div>
      <div className={styles.bottom}>
        <MeMenu />
        <SaveLine />
      </div>
    </nav>
  );
}
