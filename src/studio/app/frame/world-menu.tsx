import { useProjectName, useProjects } from '../../data/projects.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Menu } from '../../kit/ui/menu.tsx';
import { appTexts } from '../app-texts.ts';
import styles from './world-menu.module.css';

/** The name of this world, and the way to the others. */
export function WorldMenu() {
  const texts = useTexts(appTexts);
  const { project } = useWorld();
  const { data: projects = [] } = useProjects();
  const name = useProjectName(project);
  const items = [
    ...projects.map(({ id, name: label }) => ({
      id,
      label,
      href: addressOf({ screen: 'home', project: id }),
    })),
    { id: '-', label: texts.worlds, href: addressOf({ screen: 'worlds' }) },
  ];
  const trigger = (
    <Button
      tone="quiet"
      label={`${texts.world}: ${name}`}
      icon={<img src="/studio/icon.svg" alt="" width={24} height={24} />}
    >
      <span className={styles.name} dir="auto">
        {name}
      </span>
    </Button>
  );
  return (
    <div className={styles.menu}>
      <Menu label={texts.worlds} trigger={trigger} items={items} />
    </div>
  );
}
