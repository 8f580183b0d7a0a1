import { useEntityDraft } from '../../../data/entity.ts';
import type { PropsOf } from '../../../data/plugins/parts.ts';
import styles from './frame.module.css';
import { PluginFrame } from './plugin-frame.tsx';

/** A panel that is a tab of the page of an entity. */
export function PluginTab({ surface, entity }: PropsOf<'Tab'>) {
  const opened = useEntityDraft(entity);
  if (opened.state !== 'open') return null;
  return (
    <div className={styles.page}>
      <PluginFrame surface={surface} draft={opened.draft} isWhole />
    </div>
  );
}
