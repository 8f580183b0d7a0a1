import { textOfValue } from '../../../domain/field-value.ts';
import { Button } from '../../../kit/ui/button.tsx';
import styles from './entity-form.module.css';
import { useServices } from './form-context.ts';
import type { Side, TheirValue } from './form-types.ts';
import { shortText } from './short-text.ts';

interface TheirVersionProps {
  their: TheirValue;
  onSettle: (side: Side) => void;
}

/** The value that somebody else saved in a field that was changed here too. */
export function TheirVersion({ their: { who, value }, onSettle }: TheirVersionProps) {
  const { messages } = useServices();
  return (
    <div className={styles.theirs}>
      <p>
        {messages.theirs(who)} <q dir="auto">{shortText(textOfValue(value) ?? JSON.stringify(value), 400)}</q>
      </p>
      <div className={styles.actions}>
        <Button size="s" onPress={() => onSettle('theirs')}>
          {messages.takeTheirs}
        </Button>
        <Button size="s" tone="quiet" onPress={() => onSettle('mine')}>
          {messages.keepMine}
        </Button>
      </div>
    </div>
  );
}
