import { clearedValue, textOfValue } from '../../../../domain/field-value.ts';
import { Button } from '../../../../kit/ui/button.tsx';
import { FieldBox } from '../../../../kit/ui/field-box.tsx';
import { useServices } from '../form-context.ts';
import { shortText } from '../short-text.ts';
import type { WidgetProps } from '../widget-props.ts';
import styles from './widgets.module.css';

const MOST_LETTERS = 4000;

export const ReadOnlyWidget = ({ value, frame }: WidgetProps) => (
  <FieldBox {...frame}>
    <pre className={styles.raw} dir="auto">
      {shortText(textOfValue(value) ?? JSON.stringify(value, null, 1), MOST_LETTERS)}
    </pre>
  </FieldBox>
);

/** A value that the widget cannot edit is shown as it is, until somebody replaces it. */
export function UnfitValue(props: WidgetProps) {
  const { messages, readOnly } = useServices();
  const { field, frame, onChange } = props;
  return (
    <>
      <ReadOnlyWidget {...props} frame={{ ...frame, help: messages.otherShape }} />
      {!readOnly && (
        <div className={styles.after}>
          <Button
            size="s"
            label={`${frame.label}: ${messages.replace}`}
            onPress={() => onChange(clearedValue(field))}
          >
            {messages.replace}
          </Button>
        </div>
      )}
    </>
  );
}
