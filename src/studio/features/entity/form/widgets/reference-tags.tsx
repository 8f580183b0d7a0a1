import { TagList } from '../../../../kit/ui/tag-list.tsx';
import { useServices } from '../form-context.ts';
import type { ShownReference } from './shown-reference.ts';
import styles from './widgets.module.css';

interface ReferenceTagsProps {
  label: string;
  references: readonly ShownReference[];
  hidden: number;
  onOpen: (key: string) => void;
  onRemove: ((key: string) => void) | undefined;
}

export function ReferenceTags({ label, references, hidden, onOpen, onRemove }: ReferenceTagsProps) {
  const { typeOf, messages } = useServices();
  return (
    <>
      <TagList
        label={label}
        tags={references.map(({ key, entity, label: name }) => ({
          id: key,
          label: name,
          isWrong: entity === undefined,
          ...(entity && { color: typeOf(entity.type).color ?? null }),
          detail: entity?.status && entity.status !== 'active' && (
            <span className={styles.quiet}>{entity.status}</span>
          ),
        }))}
        onOpen={onOpen}
        onRemove={onRemove}
      />
      {hidden > 0 && <span className={styles.quiet}>{messages.moreEntries(hidden)}</span>}
    </>
  );
}
