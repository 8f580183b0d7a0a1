import { useMemo } from 'react';
import type { EntityAddress } from '../../../data/entity.ts';
import { useFieldWords } from '../../../data/field-words.ts';
import { addressOf } from '../../../domain/places.ts';
import type { Reference } from '../../../domain/reference-groups.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Icon } from '../../../kit/ui/icons.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import styles from './references.module.css';
import { referencesTexts } from './references-texts.ts';

interface MissingReferencesProps {
  entity: EntityAddress;
  references: readonly Reference[];
}

/** References to entities that the world does not have, with those that may be meant. */
export function MissingReferences({ entity, references }: MissingReferencesProps) {
  const texts = useTexts(referencesTexts);
  const { project, type, id } = entity;
  const types = useMemo(() => [type], [type]);
  const { labelOf } = useFieldWords(project, types);
  return (
    <section>
      <h2 className={styles.heading}>{texts.missing}</h2>
      <ul className={styles.missing}>
        {references.map(({ field, to_id, state, candidates }) => (
          <li key={`${field} ${to_id}`} dir="auto">
            <span className={styles.missingIcon}>
              <Icon name="error" />
            </span>
            <span>
              <strong>{state === 'missing' ? texts.missingOne(to_id) : texts.ambiguousOne(to_id)}</strong>{' '}
              <TextLink href={addressOf({ screen: 'entity', project, type, id, field })}>
                {labelOf(type, field)}
              </TextLink>
              {candidates.length > 0 && (
                <span className={styles.candidates}>
                  {texts.meant}
                  {candidates.map(({ entity_type, entity_id, name }) => (
                    <TextLink
                      key={`${entity_type}/${entity_id}`}
                      href={addressOf({ screen: 'entity', project, type: entity_type, id: entity_id })}
                    >
                      {name}
                    </TextLink>
                  ))}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
