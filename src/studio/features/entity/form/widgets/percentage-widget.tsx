import { isMap } from '../../../../../text/json.ts';
import { numberOfValue } from '../../../../domain/field-value.ts';
import { FieldBox } from '../../../../kit/ui/field-box.tsx';
import { Slider } from '../../../../kit/ui/slider.tsx';
import { useServices } from '../form-context.ts';
import type { WidgetProps } from '../widget-props.ts';
import { namesIn } from './color-widgets.tsx';
import styles from './widgets.module.css';

/** Shares of a whole, one for each key of an object. */
export function PercentageWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages, readOnly } = useServices();
  const map = isMap(value) ? value : {};
  const shares = namesIn(field, map).map((entry) => ({ ...entry, share: numberOfValue(map[entry.name]) }));
  const sum = shares.reduce((total, { share }) => total + (Number.isFinite(share) ? share : 0), 0);
  return (
    <FieldBox {...frame} help={[frame.help, messages.sum(sum)].filter(Boolean).join(' · ')}>
      <div className={styles.pairs}>
        {shares.map(({ name, label, share }) => (
          <Slider
            key={name}
            label={label}
            isReadOnly={readOnly}
            value={Number.isFinite(share) ? share : null}
            onChange={(next) => onChange({ ...map, [name]: next })}
            onFocus={onFocus}
            min={0}
            max={100}
            emptyText={messages.notSet}
          />
        ))}
      </div>
    </FieldBox>
  );
}
