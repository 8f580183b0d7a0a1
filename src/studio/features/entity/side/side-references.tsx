import { useMemo } from 'react';
import type { EntityAddress } from '../../../data/entity.ts';
import { useReferences } from '../../../data/references.ts';
import { useWorld } from '../../../data/world.tsx';
import { addressOf } from '../../../domain/places.ts';
import { referenceGroups } from '../../../domain/reference-groups.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { ColorMark } from '../../../kit/ui/color-mark.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import styles from './side.module.css';
import { sideTexts } from './side-texts.ts';

const SHOWN = 5;

export function SideReferences({ entity }: { entity: EntityAddress }) {
  const texts = useTexts(sideTexts);
  const { project, typeOf } = useWorld();
  const { data } = useReferences(entity, 'in');
  const first = useMemo(() => data && firstOf(data.references), [data]);
  if (!data || !first) return null;
  return (
    <section>
      <h2 className={styles.heading}>{texts.in}</h2>
      {first.length === 0 && <p className={styles.quiet}>{texts.nobody}</p>}
      <ul className={styles.links}>
        {first.map(({ entity_type, entity_id, name }) => (
          <li key={`${entity_type}/${entity_id}`} dir="auto">
            <ColorMark color={typeOf(entity_type)?.color} />
            <TextLink href={addressOf({ screen: 'entity', project, type: entity_type, id: entity_id })}>
              {name}
            </TextLink>
          </li>
        ))}
      </ul>
      {data.total > first.length && (
        <p className={styles.all}>
          <TextLink href={addressOf({ screen: 'entity', ...entity, tab: 'references' })}>
            {texts.all(data.total)}
          </TextLink>
        </p>
      )}
    </section>
  );
}

/** Each entity once, whatever it refers by. */
function firstOf(references: Parameters<typeof referenceGroups>[0]) {
  const entities = referenceGroups(references, 'in').flatMap((group) => group.entities);
  const byKey = new Map(entities.map((one) => [`${one.entity_type}/${one.entity_id}`, one]));
  return [...byKey.values()].slice(0, SHOWN);
}
