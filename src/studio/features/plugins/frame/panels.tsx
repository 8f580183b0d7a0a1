import { useId } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { useEntityDraft } from '../../../data/entity.ts';
import { useFolded } from '../../../data/plugins/folded.ts';
import type { PropsOf } from '../../../data/plugins/parts.ts';
import type { Surface } from '../../../domain/plugins/plugin-list.ts';
import { Icon } from '../../../kit/ui/icons.tsx';
import styles from './frame.module.css';
import { PluginFrame } from './plugin-frame.tsx';
import { useSeen } from './use-seen.ts';

/** The panels of plugins at one place of the page of an entity. */
export function Panels({ surfaces, entity, canFold = false, isNested = false }: PropsOf<'Panels'>) {
  const opened = useEntityDraft(entity);
  if (opened.state !== 'open') return null;
  const Panel = canFold ? FoldedPanel : OpenPanel;
  return surfaces.map((surface) => (
    <Panel
      key={`${surface.plugin.id} ${surface.id}`}
      surface={surface}
      draft={opened.draft}
      isNested={isNested}
    />
  ));
}

interface PanelProps {
  surface: Surface;
  draft: EntityDraft;
}

function OpenPanel({ surface, draft, isNested }: PanelProps & { isNested: boolean }) {
  const heading = useId();
  const Heading = isNested ? 'h3' : 'h2';
  return (
    <section className={styles.panel} aria-labelledby={heading}>
      <Heading id={heading} className={styles.heading} dir="auto">
        {surface.title}
      </Heading>
      <FrameWhenSeen surface={surface} draft={draft} />
    </section>
  );
}

function FoldedPanel({ surface, draft }: PanelProps) {
  const [heading, content] = [useId(), useId()];
  const { isOpen, toggle } = useFolded(surface.plugin.id, surface.id);
  return (
    <section className={styles.panel} aria-labelledby={heading}>
      <h2 className={styles.heading}>
        <button
          id={heading}
          type="button"
          className={styles.fold}
          aria-expanded={isOpen === true}
          aria-controls={content}
          onClick={toggle}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
          <span dir="auto">{surface.title}</span>
        </button>
      </h2>
      <div id={content}>{isOpen && <FrameWhenSeen surface={surface} draft={draft} />}</div>
    </section>
  );
}

/** A page that nobody has scrolled to costs nothing. */
function FrameWhenSeen({ surface, draft }: PanelProps) {
  const { ref, isSeen } = useSeen();
  return (
    <div ref={ref} className={isSeen ? undefined : styles.frame}>
      {isSeen && <PluginFrame surface={surface} draft={draft} />}
    </div>
  );
}
