import { useConflictCount, useFindingCount } from '../../data/counts.ts';
import { usePluginPages } from '../../data/plugins/plugins.ts';
import { useNameCounts } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf, type Place, placeOf } from '../../domain/places.ts';
import { shownNumber } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Link } from '../../kit/router/link.tsx';
import { useAddress } from '../../kit/router/router.ts';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { appTexts } from '../app-texts.ts';
import { openPalette } from '../palette/palette-state.ts';
import { MeMenu } from './me-menu.tsx';
import { SaveLine } from './save-line.tsx';
import styles from './sidebar.module.css';
import { WorldMenu } from './world-menu.tsx';

export function Sidebar() {
  const texts = useTexts(appTexts);
  const { project, types } = useWorld();
  const counts = useNameCounts(project);
  const findings = useFindingCount(project);
  const conflicts = useConflictCount(project);
  const pages = usePluginPages(project);
  return (
    <nav className={styles.sidebar} aria-label={texts.navigation}>
      <WorldMenu />
      <button type="button" className={styles.go} onClick={() => openPalette()}>
        <span>{texts.goOrDo}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div className={styles.scroll}>
        <ul className={styles.list}>
          <Entry place={{ screen: 'home', project }} label={texts.home} />
          <Entry
            place={{ screen: 'page', project, page: 'findings' }}
            label={texts.findings}
            count={findings}
            isAlert
          />
          {conflicts > 0 && (
            <Entry
              place={{ screen: 'page', project, page: 'conflicts' }}
              label={texts.conflicts}
              count={conflicts}
            />
          )}
        </ul>
        <h2 className={styles.heading}>{texts.types}</h2>
        <ul className={styles.list}>
          {types.map(({ type, plural, color }) => (
            <Entry
              key={type}
              place={{ screen: 'list', project, type }}
              label={plural}
              color={color}
              count={counts.get(type) ?? 0}
            />
          ))}
        </ul>
        {pages.length > 0 && (
          <>
            <h2 className={styles.heading}>{texts.plugins}</h2>
            <ul className={styles.list}>
              {pages.map(({ plugin, id, title }) => (
                <Entry
                  key={`${plugin} ${id}`}
                  place={{ screen: 'plugin', project, plugin, page: id }}
                  label={title}
                />
              ))}
            </ul>
          </>
        )}
        <h2 className={styles.heading}>{texts.world}</h2>
        <ul className={styles.list}>
          <Entry place={{ screen: 'page', project, page: 'import' }} label={texts.import} />
          <Entry place={{ screen: 'page', project, page: 'plugins' }} label={texts.plugins} />
          <Entry place={{ screen: 'page', project, page: 'recycle-bin' }} label={texts.recycleBin} />
        </ul>
      </div>
      <div className={styles.bottom}>
        <MeMenu />
        <SaveLine />
      </div>
    </nav>
  );
}

interface EntryProps {
  place: Place;
  label: string;
  count?: number;
  /** Null: a type without a colour. */
  color?: string | null;
  isAlert?: boolean;
}

function Entry({ place, label, count = 0, color, isAlert = false }: EntryProps) {
  const { path } = useAddress();
  const address = addressOf(place);
  const isHere = path === address || (place.screen === 'list' && isWithin(path, place));
  return (
    <li>
      <Link href={address} className={styles.entry} aria-current={isHere ? 'page' : undefined}>
        {color !== undefined && <ColorMark color={color} />}
        <span className={styles.label} dir="auto">
          {label}
        </span>
        {count > 0 && <span className={isAlert ? styles.alert : styles.count}>{shownNumber(count)}</span>}
      </Link>
    </li>
  );
}

/** An entity is within the list of its type. */
function isWithin(path: string, { project, type }: { project: string; type: string }): boolean {
  const here = placeOf(path, '');
  return (
    (here.screen === 'entity' || here.screen === 'new') && here.project === project && here.type === type
  );
}
