import { useTrail } from '../../data/trail.ts';
import { useNames } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Link } from '../../kit/router/link.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import styles from './home.module.css';
import { homeTexts } from './home-texts.ts';

/** The entities that were open last; those that are gone are left out. */
export function RecentCard() {
  const texts = useTexts(homeTexts);
  const { project, typeOf } = useWorld();
  const names = useNames(project);
  const trail = useTrail(project);
  const shown = (trail?.recent ?? []).flatMap((key) => {
    const [type = '', id = ''] = key.split('/');
    const found = names.find(type, id);
    return found ? [{ key, type, id, name: found.name }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <section className={styles.card} aria-label={texts.recent}>
      <h2 className={styles.heading}>{texts.recent}</h2>
      <ul>
        {shown.map(({ key, type, id, name }) => (
          <li key={key}>
            <Link href={addressOf({ screen: 'entity', project, type, id })} className={styles.recent}>
              <ColorMark color={typeOf(type)?.color} />
              <span className={styles.name} dir="auto">
                {name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
