import { type ReactNode, Suspense, useMemo } from 'react';
import { pluginParts, usePlugins } from '../../../data/plugins/plugins.ts';
import { useStore } from '../../../data/store.ts';
import { useWorld } from '../../../data/world.tsx';
import { addressOf } from '../../../domain/places.ts';
import { placedPanel } from '../../../domain/plugins/placed-panel.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { TextLink } from '../../../kit/ui/link.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import type { BlockProps } from '../form/form-types.ts';
import { blockTexts } from './block-texts.ts';
import styles from './layout.module.css';

const waiting = <Skeleton lines={1} height="10rem" />;

/** A panel where the layout of the type wants it, or the reason for which there is none. */
export function PlacedPanel({ name, entity }: BlockProps) {
  const texts = useTexts(blockTexts);
  const parts = useStore(pluginParts);
  const { data: plugins, error } = usePlugins(entity.project);
  const { project, type } = entity;
  const found = useMemo(() => plugins && placedPanel(plugins, name, type), [plugins, name, type]);
  if (!plugins) return error ? <p className={styles.line}>{texts.unknownPlugins}</p> : waiting;
  if (!found) return <Missing type={type}>{texts.noBlock(name)}</Missing>;
  if ('why' in found)
    return (
      <Missing type={type}>
        {texts.missing[found.why](found.panel, found.plugin)}{' '}
        <TextLink
          href={addressOf({
            screen: 'page',
            project,
            page: 'plugins',
            ...(found.id !== null && { item: found.id }),
          })}
        >
          {found.id === null ? texts.toPlugins : texts.toPlugin(found.plugin)}
        </TextLink>
      </Missing>
    );
  if (!parts) return waiting;
  return (
    <Suspense fallback={waiting}>
      <parts.Panels surfaces={[found.surface]} entity={entity} isNested />
    </Suspense>
  );
}

function Missing({ type, children }: { type: string; children: ReactNode }) {
  const texts = useTexts(blockTexts);
  const { project, can } = useWorld();
  return (
    <p className={styles.line}>
      {children}
      {can('manage_templates') && (
        <>
          {' · '}
          <TextLink href={addressOf({ screen: 'layout', project, type })}>{texts.toLayout}</TextLink>
        </>
      )}
    </p>
  );
}
