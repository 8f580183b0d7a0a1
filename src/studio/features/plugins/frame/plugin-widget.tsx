import { useMemo, useState } from 'react';
import { useEntityDraft } from '../../../data/entity.ts';
import type { PropsOf } from '../../../data/plugins/parts.ts';
import { admits } from '../../../domain/plugins/entity-patch.ts';
import { widgetOptions } from '../../../domain/plugins/widget-options.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { frameTexts } from './frame-texts.ts';
import { PluginFrame } from './plugin-frame.tsx';

/** The control of a field, by a plugin. What it gives is checked like what is typed. */
export function PluginWidget(props: PropsOf<'Widget'>) {
  const { surface, acceptsOptions, entity, field, value, isReadOnly, onChange, frame } = props;
  const texts = useTexts(frameTexts);
  const opened = useEntityDraft(entity);
  const [isUnfit, setUnfit] = useState(false);
  const options = useMemo(() => (acceptsOptions ? widgetOptions(field) : {}), [acceptsOptions, field]);
  const take = (next: unknown) => {
    const isFitting = admits(field, next);
    setUnfit(!isFitting);
    if (isFitting) onChange(next);
  };
  if (opened.state !== 'open') return frame(null, null);
  return frame(
    <PluginFrame
      surface={surface}
      draft={opened.draft}
      widget={{ state: { value: value ?? null, disabled: isReadOnly, options }, onChange: take }}
    />,
    isUnfit ? texts.unfitWidget(surface.plugin.name) : null,
  );
}
