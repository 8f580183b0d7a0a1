import { useEntity } from '../../../data/entity.ts';
import { useWorld } from '../../../data/world.tsx';
import type { EntityNames, EntityRef } from '../../../kit/editor/options.ts';
import { ColorMark } from '../../../kit/ui/color-mark.tsx';
import styles from './entity-card.module.css';

interface EntityCardProps {
  entity: EntityRef;
  names: EntityNames;
}

/** The card of a link's target, shown under the pointer. */
export function EntityCard({ entity, names }: EntityCardProps) {
  const found = names.find(entity);
  return (
    found && (
      <FoundCard
        type={found.type}
        id={found.id}
        name={found.name}
        label={found.typeLabel}
        color={found.color}
      />
    )
  );
}

interface FoundCardProps {
  type: string;
  id: string;
  name: string;
  label: string;
  color: string;
}

function FoundCard({ type, id, name, label, color }: FoundCardProps) {
  const { project } = useWorld();
  const { data } = useEntity({ project, type, id });
  const summary = data?.fields.summary;
  return (
    <div className={styles.card}>
      <p className={styles.type}>
        <ColorMark color={color} />
        {label}
      </p>
      <p className={styles.name} dir="auto">
        {name}
      </p>
      {typeof summary === 'string' && summary !== '' && (
        <p className={styles.summary} dir="auto">
          {summary}
        </p>
      )}
    </div>
  );
}
