import type { KeyboardEvent } from 'react';
import { withoutReference, withReference, withRelationship } from '../../../../domain/reference-value.ts';
import { useServices } from '../form-context.ts';
import type { WidgetProps } from '../widget-props.ts';
import { MissingReferences } from './missing-references.tsx';
import { ReferenceRows } from './reference-rows.tsx';
import { ReferenceSearch } from './reference-search.tsx';
import { ReferenceTags } from './reference-tags.tsx';
import { shownReferences } from './shown-reference.ts';

const MOST_SHOWN = 100;

export function ReferenceWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const services = useServices();
  const { readOnly, onOpen, messages } = services;
  const references = shownReferences(field, value, services);
  const open = (key: string) => {
    const entity = references[Number(key)]?.entity;
    if (entity) onOpen({ type: entity.type, id: entity.id });
  };
  const openByKeys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    open(keyAt(event.target) ?? String(references.length - 1));
  };
  const remove = (key: string) => onChange(withoutReference(field, value, Number(key)));
  const hasWords = field.relationshipTypes.length > 0;
  return (
    <div onKeyDownCapture={openByKeys}>
      <ReferenceSearch
        field={field}
        frame={frame}
        references={references}
        onFocus={onFocus}
        onPick={(ref) => onChange(withReference(field, value, ref))}
        onRemoveLast={() => references.length > 0 && remove(String(references.length - 1))}
        start={
          !hasWords &&
          references.length > 0 && (
            <ReferenceTags
              label={messages.references(frame.label)}
              references={references.slice(0, MOST_SHOWN)}
              hidden={Math.max(0, references.length - MOST_SHOWN)}
              onOpen={open}
              onRemove={readOnly ? undefined : remove}
            />
          )
        }
      />
      {hasWords && (
        <ReferenceRows
          references={references.slice(0, MOST_SHOWN)}
          words={field.relationshipTypes}
          onOpen={open}
          onRemove={remove}
          onWord={(key, relationship) =>
            onChange(withRelationship(field, value, { index: Number(key), relationship }))
          }
        />
      )}
      <MissingReferences
        field={field}
        references={references}
        onReplace={(key, ref) =>
          onChange(withReference(field, withoutReference(field, value, Number(key)), ref))
        }
      />
    </div>
  );
}

const keyAt = (target: EventTarget): string | null =>
  target instanceof Element ? (target.closest('[data-key]')?.getAttribute('data-key') ?? null) : null;
