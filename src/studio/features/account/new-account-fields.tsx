import { useTexts } from '../../kit/i18n/texts.ts';
import { TextField } from '../../kit/ui/text-field.tsx';
import { accountTexts } from './account-texts.ts';

interface FieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** The name by which others will see a new account. */
export function OwnNameField(field: FieldProps) {
  const texts = useTexts(accountTexts);
  return <TextField label={texts.name} autoComplete="name" maxLength={100} autoFocus {...field} />;
}

interface NewPasswordFieldProps extends FieldProps {
  label: string;
  autoFocus?: boolean;
}

/** A password that the user chooses now, with the advice for choosing one. */
export function NewPasswordField(field: NewPasswordFieldProps) {
  const texts = useTexts(accountTexts);
  return (
    <TextField
      type="password"
      name="new-password"
      autoComplete="new-password"
      help={texts.passwordHelp}
      isRequired
      {...field}
    />
  );
}
