import type { RecycledItem } from '../../data/recycle-bin.ts';
import { useWorld } from '../../data/world.tsx';
import { shownAgo, shownMoment } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button, IconButton } from '../../kit/ui/button.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import styles from './recycle-bin.module.css';
import { recycleBinTexts } from './recycle-bin-texts.ts';

interface RecycledListProps {
  items: readonly RecycledItem[];
  onRestore: (item: RecycledItem) => Promise<void>;
  onPurge: (item: RecycledItem) => void;
}

export function RecycledList({ items, onRestore, onPurge }: RecycledListProps) {
  const texts = useTexts(recycleBinTexts);
  const { can, me, typeOf } = useWorld();
  return (
    <ul className={styles.list}>
      {items.map((item) => {
        const type = typeOf(item.entity_type);
        const ago = shownAgo(item.deleted_at);
        return (
          <li key={item.item_id} className={styles.item}>
            <ColorMark color={type?.color} />
            <div className={styles.what}>
              <div className={styles.name} dir="auto">
                {item.name}
              </div>
              <div className={styles.detail}>
                <span dir="auto">{type?.label ?? item.entity_type}</span>
                <time dateTime={item.deleted_at} title={shownMoment(item.deleted_at)}>
                  {item.deleted_by === me.user_id ? texts.deletedByYou(ago) : texts.deleted(ago)}
                </time>
              </div>
            </div>
            {can('delete_entities') && (
              <div className={styles.actions}>
                <Button size="s" label={texts.restoreNamed(item.name)} onPress={() => void onRestore(item)}>
                  {texts.restore}
                </Button>
                <IconButton
                  size="s"
                  label={texts.purgeNamed(item.name)}
                  icon={<Icon name="close" />}
                  onPress={() => onPurge(item)}
                />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
