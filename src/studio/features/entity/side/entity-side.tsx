import { type ReactNode, useMemo } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { useWorld } from '../../../data/world.tsx';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { useKeptFocus } from '../use-kept-focus.ts';
import { usePluginPanels } from '../use-plugin-panels.tsx';
import { LatestSitting } from './latest-sitting.tsx';
import styles from './side.module.css';
import { SideFindings } from './side-findings.tsx';
import { SideReferences } from './side-references.tsx';
import { sideTexts } from './side-texts.ts';

interface EntitySideProps {
  draft: EntityDraft;
  type: string;
  id: string;
  /** Dotted path; what is wrong with this field lights up. */
  focusedField: string | null;
  /** Of the text as it was saved, from 1; null outside of it. */
  focusedLine: number | null;
  /** A finding was settled from here. */
  onMended: () => void;
  /** Above everything else. */
  children: ReactNode;
}

/** The findings of an entity, the references to it, and its last change. */
export function EntitySide({ type, id, children, ...findings }: EntitySideProps) {
  const texts = useTexts(sideTexts);
  const { project } = useWorld();
  const ref = useKeptFocus<HTMLElement>();
  const entity = useMemo(() => ({ project, type, id }), [project, type, id]);
  const plugins = usePluginPanels('entity-sidebar', entity);
  return (
    <aside ref={ref} className={styles.side} aria-label={texts.side}>
      {children}
      <SideFindings entity={entity} {...findings} />
      <SideReferences entity={entity} />
      <LatestSitting entity={entity} />
      {plugins}
    </aside>
  );
}
