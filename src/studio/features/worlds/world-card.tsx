import type { ProjectSummary } from '../../data/projects.ts';
import { addressOf } from '../../domain/places.ts';
import { shownAgo } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Link } from '../../kit/router/link.tsx';
import { IconButton } from '../../kit/ui/button.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { Menu } from '../../kit/ui/menu.tsx';
import styles from './worlds.module.css';
import { worldsTexts } from './worlds-texts.ts';

interface WorldCardProps {
  project: ProjectSummary;
  /** For those who may. */
  onRename?: () => void;
}

export function WorldCard({ project, onRename }: WorldCardProps) {
  const texts = useTexts(worldsTexts);
  const { id, name, entities, changed_at, available } = project;
  return (
    <li className={styles.world}>
      <div className={styles.text}>
        {available ? (
          <Link href={addressOf({ screen: 'home', project: id })} className={styles.name} dir="auto">
            {name}
          </Link>
        ) : (
          <span className={styles.name} dir="auto">
            {name}
          </span>
        )}
        <p className={styles.detail}>
          {available ? texts.entities(entities) : texts.away}
          {available && changed_at !== null && <> · {texts.changed(shownAgo(changed_at))}</>}
        </p>
      </div>
      {available && onRename && (
        <div className={styles.more}>
          <Menu
            label={texts.more(name)}
            trigger={<IconButton size="s" label={texts.more(name)} icon={<Icon name="more" />} />}
            items={[{ id: 'rename', label: texts.rename, onSelect: onRename }]}
          />
        </div>
      )}
    </li>
  );
}
