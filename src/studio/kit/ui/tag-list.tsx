import type { ReactNode } from 'react';
import { TagList as AriaTagList, Button, Tag, TagGroup } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { ColorMark } from './color-mark.tsx';
import { Icon } from './icons.tsx';
import styles from './tag-list.module.css';

export interface TagItem {
  id: string;
  label: string;
  color?: string | null | undefined;
  detail?: ReactNode;
  isWrong?: boolean | undefined;
}

export interface TagListProps {
  label: string;
  tags: readonly TagItem[];
  /** Without it nothing can be removed. */
  onRemove?: ((id: string) => void) | undefined;
  onOpen?: ((id: string) => void) | undefined;
  /** Stands for those that are not shown, of very long lists. */
  onShowMore?: { label: string; onPress: () => void } | undefined;
}

/** Arrow keys go from one to the next, Delete takes one away, Enter opens it. */
export const TagList = ({ label, tags, onRemove, onOpen, onShowMore }: TagListProps) => (
  <TagGroup
    aria-label={label}
    className={styles.group ?? ''}
    {...(onRemove && { onRemove: (ids) => onRemove(String([...ids][0])) })}
  >
    <AriaTagList items={tags} className={styles.list ?? ''} dependencies={[onOpen]}>
      {(tag) => (
        <Tag
          id={tag.id}
          textValue={tag.label}
          className={classNames(styles.tag, onOpen && styles.open, tag.isWrong && styles.wrong)}
          {...(onOpen && { onPress: () => onOpen(tag.id) })}
        >
          {tag.color !== undefined && <ColorMark color={tag.color} />}
          <span className={styles.text} dir="auto">
            {tag.label}
          </span>
          {tag.detail}
          {onRemove && (
            <Button slot="remove" className={styles.remove ?? ''}>
              <Icon name="close" size={12} />
            </Button>
          )}
        </Tag>
      )}
    </AriaTagList>
    {onShowMore && (
      <Button slot={null} className={styles.more ?? ''} onPress={onShowMore.onPress}>
        {onShowMore.label}
      </Button>
    )}
  </TagGroup>
);
