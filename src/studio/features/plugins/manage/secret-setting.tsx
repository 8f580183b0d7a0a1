import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import type { FieldProps } from '../../../kit/ui/field.tsx';
import { TextField } from '../../../kit/ui/text-field.tsx';
import { manageTexts } from './manage-texts.ts';

interface SecretSettingProps {
  /** A mask, if one is set. */
  stored: unknown;
  changed: { to: unknown } | null;
  frame: FieldProps;
  onChange: (value: unknown) => void;
  onKeep: () => void;
}

/** It is never shown. What is typed replaces it; an emptied field leaves it as it is. */
export function SecretSetting({ stored, changed, frame, onChange, onKeep }: SecretSettingProps) {
  const texts = useTexts(manageTexts);
  const isSet = stored !== null && stored !== undefined;
  const isForgotten = changed !== null && changed.to === null;
  const state = isSet ? texts.isSet : texts.notSet;
  return (
    <TextField
      {...frame}
      type="password"
      autoComplete="off"
      value={typeof changed?.to === 'string' ? changed.to : ''}
      onChange={(text) => (text === '' ? onKeep() : onChange(text))}
      placeholder={isSet && !isForgotten ? '••••' : undefined}
      help={[frame.help, isForgotten ? texts.forgotten : state].filter(Boolean).join(' ')}
      more={
        isSet && (
          <Button
            size="s"
            tone="quiet"
            label={isForgotten ? `${frame.label}: ${texts.keep}` : texts.forgetOf(frame.label)}
            onPress={isForgotten ? onKeep : () => onChange(null)}
          >
            {isForgotten ? texts.keep : texts.forget}
          </Button>
        )
      }
    />
  );
}
