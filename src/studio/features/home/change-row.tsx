import type { Change } from '../../data/activity.ts';
import { usePersonName } from '../../data/people.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { shownClock, shownMoment } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Link } from '../../kit/router/link.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import styles from './home.module.css';
import { homeTexts } from './home-texts.ts';

export function ChangeRow({ change }: { change: Change }) {
  const { typeOf } = useWorld();
  const did = useDid(change);
  const type = typeOf(change.entity_type);
  return (
    <li className={styles.change}>
      <Time at={change.at} />
      <ColorMark color={type?.color} />
      <ChangedName change={change} />
      <span className={styles.did}>{did}</span>
    </li>
  );
}

interface ManyChangesProps {
  changes: readonly [Change, ...Change[]];
  /** There are earlier ones, which were not loaded yet. */
  hasMore: boolean;
}

/** Many changes at one go, as one line that opens. */
export function ManyChanges({ changes, hasMore }: ManyChangesProps) {
  const texts = useTexts(homeTexts);
  const { typeOf } = useWorld();
  const [first] = changes;
  const did = useDid(first);
  return (
    <li>
      <details className={styles.many}>
        <summary className={styles.change}>
          <Time at={first.at} />
          <span className={styles.chevron}>
            <Icon name="chevronRight" size={12} />
          </span>
          <span className={styles.name}>{texts.many(changes.length, hasMore)}</span>
          <span className={styles.did}>{did}</span>
        </summary>
        <ul className={styles.inner}>
          {changes.map((change) => (
            <li key={`${change.entity_type}/${change.entity_id}`} className={styles.innerChange}>
              <ColorMark color={typeOf(change.entity_type)?.color} />
              <ChangedName change={change} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

const Time = ({ at }: { at: string }) => (
  <time className={styles.time} dateTime={at} title={shownMoment(at)}>
    {shownClock(at)}
  </time>
);

/** A deleted entity has no page, so its name leads to the recycle bin. */
function ChangedName({ change }: { change: Change }) {
  const { project } = useWorld();
  const { entity_type: type, entity_id: id, what, name } = change;
  const address =
    what === 'deleted'
      ? addressOf({ screen: 'page', project, page: 'recycle-bin' })
      : addressOf({ screen: 'entity', project, type, id });
  return (
    <Link href={address} className={styles.name} data-what={what} dir="auto">
      {name}
    </Link>
  );
}

function useDid({ what, by }: Change): string {
  const texts = useTexts(homeTexts);
  const { me } = useWorld();
  const name = usePersonName(by);
  if (by === null) return texts.didOutside[what];
  return texts.did[what](by === me.user_id ? texts.you : (name ?? texts.somebody));
}
