import { useMemo, useState } from 'react';
import { useFieldWords } from '../../../data/field-words.ts';
import { useWorld } from '../../../data/world.tsx';
import { addressOf } from '../../../domain/places.ts';
import type { ReferenceGroup } from '../../../domain/reference-groups.ts';
import { shownNumber } from '../../../kit/i18n/format.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { ColorMark } from '../../../kit/ui/color-mark.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import styles from './references.module.css';
import { referencesTexts } from './references-texts.ts';

const SHOWN_FIRST = 12;

interface ReferenceGroupsProps {
  groups: readonly ReferenceGroup[];
  /** The type that the fields belong to; null where it is that of each group. */
  fieldsOf: string | null;
}

export function ReferenceGroups({ groups, fieldsOf }: ReferenceGroupsProps) {
  const { project, typeOf } = useWorld();
  const types = useMemo(
    () => (fieldsOf === null ? [...new Set(groups.map(({ type }) => type))] : [fieldsOf]),
    [groups, fieldsOf],
  );
  const { labelOf } = useFieldWords(project, types);
  return groups.map((group) => (
    <div key={`${group.type} ${group.field}`} className={styles.group}>
      <h3 className={styles.groupName} dir="auto">
        <ColorMark color={typeOf(group.type)?.color} />
        {typeOf(group.type)?.plural ?? group.type}
        <span className={styles.quiet}>{labelOf(fieldsOf ?? group.type, group.field)}</span>
        <span className={styles.count}>{shownNumber(group.entities.length)}</span>
      </h3>
      <GroupEntities group={group} />
    </div>
  ));
}

function GroupEntities({ group: { type, entities } }: { group: ReferenceGroup }) {
  const texts = useTexts(referencesTexts);
  const { project } = useWorld();
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? entities : entities.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul className={styles.entities}>
        {shown.map(({ entity_id, name }) => (
          <li key={entity_id} dir="auto">
            <TextLink href={addressOf({ screen: 'entity', project, type, id: entity_id })}>{name}</TextLink>
          </li>
        ))}
      </ul>
      {entities.length > shown.length && (
        <div className={styles.more}>
          <Button size="s" tone="quiet" onPress={() => setOpen(true)}>
            {texts.more(entities.length - shown.length)}
          </Button>
        </div>
      )}
    </>
  );
}
