import { Suspense, useMemo } from 'react';
import { pluginParts, usePlugins } from '../../data/plugins/plugins.ts';
import { useStore } from '../../data/store.ts';
import { widgetNamed } from '../../domain/plugins/plugin-list.ts';
import { FieldBox } from '../../kit/ui/field-box.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import type { PluginFieldProps } from './form/form-types.ts';

/** A field with the widget of a plugin; the usual widget where there is no such plugin, or it is not enabled. */
export function PluginField({ name, entity, control, children }: PluginFieldProps) {
  const { field, value, onChange, frame } = control;
  const { data: plugins, error } = usePlugins(entity.project);
  const parts = useStore(pluginParts);
  const found = useMemo(() => plugins && widgetNamed(plugins, name), [plugins, name]);
  const waiting = (
    <FieldBox {...frame}>
      <Skeleton lines={1} height="2.25rem" />
    </FieldBox>
  );
  if (!plugins && error) return children;
  if (plugins && !found) return children;
  if (!parts || !found) return waiting;
  return (
    <Suspense fallback={waiting}>
      <parts.Widget
        {...found}
        entity={entity}
        field={field}
        value={value}
        isReadOnly={frame.isReadOnly === true}
        onChange={onChange}
        frame={(content, fault) => (
          <FieldBox {...frame} error={fault ?? frame.error}>
            {content}
          </FieldBox>
        )}
      />
    </Suspense>
  );
}
