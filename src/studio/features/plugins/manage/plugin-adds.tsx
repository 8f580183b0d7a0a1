import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';

/** The parts of a plugin by their names. */
export function PluginAdds({ plugin }: { plugin: Plugin }) {
  const texts = useTexts(manageTexts);
  const { panels, widgets, pages, commands, has_guest: hasGuest } = plugin;
  const kinds = [
    [texts.panels, panels.map(({ title }) => title)],
    [texts.widgets, widgets.map(({ label }) => label)],
    [texts.pages, pages.map(({ title }) => title)],
    [texts.commands, commands.map(({ title }) => title)],
  ] as const;
  const shown = kinds.filter(([, names]) => names.length > 0);
  if (shown.length === 0 && !hasGuest) return null;
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{texts.adds}</h2>
      <ul className={styles.list}>
        {shown.map(([kind, names]) => (
          <li key={kind}>
            {kind}: <span dir="auto">{names.join(', ')}</span>
          </li>
        ))}
        {hasGuest && <li>{texts.guest}</li>}
      </ul>
    </section>
  );
}
