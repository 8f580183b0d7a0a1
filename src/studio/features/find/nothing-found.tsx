import { useNames } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { foldName } from '../../domain/name-score.ts';
import { nearNames } from '../../domain/near-names.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Link } from '../../kit/router/link.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { LinkButton } from '../../kit/ui/link.tsx';
import { Menu } from '../../kit/ui/menu.tsx';
import styles from './find.module.css';
import { findTexts } from './find-texts.ts';

const MOST_NEAR = 8;

/** Says so, and offers what may have been meant: near names, something new, deleted ones. */
export function NothingFound({ text }: { text: string }) {
  const texts = useTexts(findTexts);
  const { project, types, typeOf, can } = useWorld();
  const names = useNames(project);
  const near = nearNames(text, (part) => withPart(names.search(part, { limit: MOST_NEAR }), part), MOST_NEAR);
  const make = can('create_entities') && types.length > 0 && (
    <Menu
      label={texts.make(text)}
      trigger={
        <Button tone="primary" endIcon={<Icon name="chevronDown" />}>
          {texts.make(text)}
        </Button>
      }
      items={types.map(({ type, label, color }) => ({
        id: type,
        label,
        icon: <ColorMark color={color} />,
        href: addressOf({ screen: 'new', project, type, name: text }),
      }))}
    />
  );
  return (
    <>
      <EmptyState
        title={texts.noHits(text)}
        actions={
          <>
            {make}
            <LinkButton href={addressOf({ screen: 'page', project, page: 'recycle-bin' })}>
              {texts.deleted}
            </LinkButton>
          </>
        }
      />
      {near.length > 0 && (
        <section aria-label={texts.near}>
          <h2 className={styles.type}>{texts.near}</h2>
          <ul className={styles.matches}>
            {near.map(({ type, id, name }) => (
              <li key={`${type}/${id}`}>
                <Link href={addressOf({ screen: 'entity', project, type, id })} className={styles.near}>
                  <ColorMark color={typeOf(type)?.color} />
                  <span className={styles.name} dir="auto">
                    {name}
                  </span>
                  <span className={styles.count} dir="auto">
                    {typeOf(type)?.label ?? type}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The index also finds letters that stand apart, which is too far away here. */
const withPart = <Hit extends { name: string }>(hits: readonly Hit[], part: string): Hit[] =>
  hits.filter(({ name }) => foldName(name).includes(foldName(part)));
