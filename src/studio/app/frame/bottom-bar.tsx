import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Icon } from '../../kit/ui/icons.tsx';
import { appTexts } from '../app-texts.ts';
import { makeHere } from '../make-here.ts';
import { openPalette } from '../palette/palette-state.ts';
import styles from './bottom-bar.module.css';
import { MeMenu } from './me-menu.tsx';
import { SaveLine } from './save-line.tsx';

/** On a phone, in place of the sidebar. */
export function BottomBar() {
  const texts = useTexts(appTexts);
  const { project, can } = useWorld();
  return (
    <nav className={styles.bar} aria-label={texts.world}>
      <button type="button" className={styles.go} onClick={() => openPalette()}>
        {texts.goOrDo}
      </button>
      {can('create_entities') && (
        <button
          type="button"
          className={styles.make}
          aria-label={texts.makeShort}
          onClick={() => makeHere(project, texts.makeShort)}
        >
          <Icon name="plus" size={20} />
        </button>
      )}
      <SaveLine />
      <MeMenu />
    </nav>
  );
}
