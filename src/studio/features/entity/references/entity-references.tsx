import { useMemo } from 'react';
import type { EntityAddress } from '../../../data/entity.ts';
import { useOpenReferences, useReferences } from '../../../data/references.ts';
import { useWorld } from '../../../data/world.tsx';
import { type Direction, type Reference, referenceGroups } from '../../../domain/reference-groups.ts';
import { shownNumber } from '../../../kit/i18n/format.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { AroundGraph } from './around-graph.tsx';
import { MissingReferences } from './missing-references.tsx';
import { ReferenceGroups } from './reference-group-list.tsx';
import styles from './references.module.css';
import { referencesTexts } from './references-texts.ts';

/** The references to an entity and from it, the missing ones, and a picture of the entities around it. */
export function EntityReferences({ type, id }: { type: string; id: string }) {
  const { project } = useWorld();
  const entity = useMemo(() => ({ project, type, id }), [project, type, id]);
  const open = useOpenReferences(entity).data ?? NONE;
  return (
    <div className={styles.references}>
      <div className={styles.lists}>
        {open.length > 0 && <MissingReferences entity={entity} references={open} />}
        <OneDirection entity={entity} direction="in" />
        <OneDirection entity={entity} direction="out" />
      </div>
      <AroundGraph entity={entity} />
    </div>
  );
}

function OneDirection({ entity, direction }: { entity: EntityAddress; direction: Direction }) {
  const texts = useTexts(referencesTexts);
  const { data, error } = useReferences(entity, direction);
  const groups = useMemo(() => data && referenceGroups(data.references, direction), [data, direction]);
  return (
    <section>
      <h2 className={styles.heading}>
        {texts[direction]} {data && <span className={styles.count}>{shownNumber(data.total)}</span>}
      </h2>
      {error && <Notice tone="error">{texts.failed}</Notice>}
      {!data && !error && <Skeleton lines={3} />}
      {groups?.length === 0 && (
        <p className={styles.quiet}>{direction === 'in' ? texts.nobody : texts.nothing}</p>
      )}
      {groups && <ReferenceGroups groups={groups} fieldsOf={direction === 'out' ? entity.type : null} />}
      {data && data.references.length < data.total && (
        <p className={styles.quiet}>{texts.cut(data.references.length, data.total)}</p>
      )}
    </section>
  );
}

const NONE: readonly Reference[] = [];
