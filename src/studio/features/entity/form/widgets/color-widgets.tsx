import { useState } from 'react';
import { isMap } from '../../../../../text/json.ts';
import {
  clearedValue,
  isScalar,
  listOfValue,
  textOfValue,
  valueOfList,
} from '../../../../domain/field-value.ts';
import type { FormField } from '../../../../domain/form-field.ts';
import { Button } from '../../../../kit/ui/button.tsx';
import { ColorField } from '../../../../kit/ui/color-field.tsx';
import { ColorSwatches, type Swatch } from '../../../../kit/ui/color-swatches.tsx';
import { FieldBox } from '../../../../kit/ui/field-box.tsx';
import { Icon } from '../../../../kit/ui/icons.tsx';
import { TagList } from '../../../../kit/ui/tag-list.tsx';
import { useServices } from '../form-context.ts';
import type { WidgetProps } from '../widget-props.ts';
import styles from './widgets.module.css';

export function ColorWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages } = useServices();
  return (
    <ColorField
      {...frame}
      value={textOfValue(value) ?? ''}
      onChange={(next) => onChange(next === '' ? clearedValue(field) : next)}
      onFocus={onFocus}
      swatches={swatchesOf(field)}
      placeholder={field.placeholder ?? '#aabbcc'}
      pickLabel={`${frame.label}: ${messages.pickColor}`}
    />
  );
}

/** Of one colour or of many. */
export const PaletteWidget = (props: WidgetProps) =>
  props.field.types.includes('array') ? <PaletteList {...props} /> : <ColorWidget {...props} />;

function PaletteList({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages, readOnly } = useServices();
  const list = listOfValue(value) ?? [];
  const give = (next: readonly unknown[]) => onChange(valueOfList(next, field.types, value));
  const swatches = swatchesOf(field);
  const texts = list.map(textOfColor);
  const toggle = (color: string) => {
    const index = texts.indexOf(color);
    give(index < 0 ? [...list, color] : list.toSpliced(index, 1));
  };
  return (
    <FieldBox {...frame}>
      {swatches.length > 0 && (
        <ColorSwatches
          label={frame.label}
          swatches={swatches}
          chosen={texts}
          onToggle={toggle}
          isDisabled={readOnly}
        />
      )}
      {list.length > 0 && (
        <div className={styles.chips}>
          <TagList
            label={messages.references(frame.label)}
            tags={texts.slice(0, 100).map((text, index) => ({ id: String(index), label: text, color: text }))}
            onRemove={readOnly ? undefined : (id) => give(list.toSpliced(Number(id), 1))}
          />
        </div>
      )}
      {!readOnly && (
        <NewColor label={frame.label} onAdd={(color) => give([...list, color])} onFocus={onFocus} />
      )}
    </FieldBox>
  );
}

function NewColor({
  label,
  onAdd,
  onFocus,
}: {
  label: string;
  onAdd: (color: string) => void;
  onFocus: () => void;
}) {
  const { messages } = useServices();
  const [text, setText] = useState('');
  const add = () => {
    if (text.trim() !== '') onAdd(text.trim());
    setText('');
  };
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        <ColorField
          label={`${label}: ${messages.addColor}`}
          isLabelHidden
          value={text}
          onChange={setText}
          onEnter={add}
          onFocus={onFocus}
          placeholder="#aabbcc"
          pickLabel={`${label}: ${messages.pickColor}`}
        />
      </div>
      <Button icon={<Icon name="plus" />} onPress={add} isDisabled={text.trim() === ''}>
        {messages.addColor}
      </Button>
    </div>
  );
}

/** A colour for each key of an object. */
export function ColorGroupWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages, readOnly } = useServices();
  const map = isMap(value) ? value : {};
  return (
    <FieldBox {...frame}>
      <div className={styles.pairs}>
        {namesIn(field, map).map(({ name, label }) => (
          <ColorField
            key={name}
            label={label}
            isReadOnly={readOnly || !isText(map[name])}
            value={textOfColor(map[name] ?? '')}
            onChange={(color) => onChange({ ...map, [name]: color })}
            onFocus={onFocus}
            pickLabel={`${label}: ${messages.pickColor}`}
          />
        ))}
      </div>
    </FieldBox>
  );
}

const isText = (value: unknown): boolean => value === undefined || value === null || isScalar(value);

/** Those of the template, then those that the file has besides. */
export function namesIn(
  { fields }: FormField,
  map: Record<string, unknown>,
): { name: string; label: string }[] {
  const others = Object.keys(map).filter((key) => fields.every(({ name }) => name !== key));
  return [
    ...fields.map(({ name, label }) => ({ name, label })),
    ...others.map((name) => ({ name, label: name })),
  ];
}

function textOfColor(entry: unknown): string {
  if (isMap(entry) && typeof entry.hex === 'string') return entry.hex;
  return isScalar(entry) ? String(entry) : (JSON.stringify(entry) ?? '');
}

const swatchesOf = ({ options }: FormField): Swatch[] =>
  options.flatMap(({ value, label, hex }) =>
    hex === undefined && typeof value !== 'string'
      ? []
      : [{ value: String(value), label, hex: hex ?? String(value) }],
  );
