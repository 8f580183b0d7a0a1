import { type ReactNode, useState } from 'react';
import type { FormField } from '../../../../domain/form-field.ts';
import { ComboBox } from '../../../../kit/ui/combo-box.tsx';
import type { FieldProps } from '../../../../kit/ui/field.tsx';
import { Icon } from '../../../../kit/ui/icons.tsx';
import { announce } from '../../../../kit/ui/live-region.tsx';
import { useServices } from '../form-context.ts';
import type { EntityRef, FormServices } from '../form-types.ts';
import { shortText } from '../short-text.ts';
import type { ShownReference } from './shown-reference.ts';

interface ReferenceSearchProps {
  field: FormField;
  frame: FieldProps;
  references: readonly ShownReference[];
  onPick: (ref: EntityRef) => void;
  onRemoveLast: () => void;
  onFocus: () => void;
  start: ReactNode;
}

const MAKE = 'make';
const MOST_FOUND = 12;

/** Completes from the names of the right type, and makes what is not there yet. */
export function ReferenceSearch({
  field,
  frame,
  references,
  onPick,
  onRemoveLast,
  onFocus,
  start,
}: ReferenceSearchProps) {
  const services = useServices();
  const { names, typeOf, messages, onMake, readOnly } = services;
  const [text, setText] = useState('');
  const type = field.referenceType;
  const isFull = hasEnough(field, references.length);
  const taken = new Set(references.map(({ entity }) => entity && keyOf(entity)));
  const found = isFull
    ? []
    : names
        .search(text, { types: type === null ? null : [type], limit: MOST_FOUND + taken.size })
        .filter((entity) => !taken.has(keyOf(entity)))
        .slice(0, MOST_FOUND);
  const pick = (ref: EntityRef) => {
    setText('');
    onPick({ type: ref.type, id: ref.id });
  };
  const make = async (kind: string, name: string) => {
    // Emptied at once: a text that changes later would open the proposals again.
    setText('');
    const made = await onMake(kind, name);
    if (made === null) return setText(name);
    announce(messages.made(name));
    pick(made);
  };
  const name = text.trim();
  const canMake = type !== null && name !== '' && !isFull;
  const take = (id: string) => {
    const entity = found.find((candidate) => keyOf(candidate) === id);
    if (entity) pick(entity);
    else if (id === MAKE && type !== null) void make(type, name);
  };
  return (
    <ComboBox
      {...frame}
      isReadOnly={readOnly || isFull}
      options={[
        ...found.map((entity) => ({
          id: keyOf(entity),
          label: shortText(entity.name, 300),
          detail: typeOf(entity.type).label,
          color: typeOf(entity.type).color ?? null,
        })),
        ...(canMake
          ? [
              {
                id: MAKE,
                label: messages.make(shortText(name, 60), typeOf(type).label),
                icon: <Icon name="plus" />,
              },
            ]
          : []),
      ]}
      text={text}
      onTextChange={setText}
      onPick={take}
      {...(!readOnly && { onBackspace: onRemoveLast })}
      onFocus={onFocus}
      placeholder={start ? undefined : placeholderOf(field, references.length, services)}
      emptyText={messages.noEntity}
      start={start}
    />
  );
}

const keyOf = ({ type, id }: EntityRef): string => `${type}:${id}`;

const hasEnough = ({ maxSelections }: FormField, count: number): boolean =>
  maxSelections !== null && maxSelections > 1 && count >= maxSelections;

function placeholderOf(
  field: FormField,
  count: number,
  { messages, typeOf }: FormServices,
): string | undefined {
  if (hasEnough(field, count)) return messages.atMost(field.maxSelections ?? count);
  const wanted = field.referenceType === null ? messages.anything : typeOf(field.referenceType).label;
  return field.placeholder ?? messages.findEntity(wanted);
}
