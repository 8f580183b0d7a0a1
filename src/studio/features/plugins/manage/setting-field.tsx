import type { ReactNode } from 'react';
import { isSame } from '../../../domain/field-path.ts';
import type { PluginSetting } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { ColorField } from '../../../kit/ui/color-field.tsx';
import type { FieldProps } from '../../../kit/ui/field.tsx';
import { NumberField } from '../../../kit/ui/number-field.tsx';
import { Select } from '../../../kit/ui/select.tsx';
import { Switch } from '../../../kit/ui/switch.tsx';
import { TextArea } from '../../../kit/ui/text-area.tsx';
import { TextField } from '../../../kit/ui/text-field.tsx';
import { EntitySetting } from './entity-setting.tsx';
import { manageTexts } from './manage-texts.ts';
import { ObjectSetting } from './object-setting.tsx';
import { SecretSetting } from './secret-setting.tsx';

interface SettingFieldProps {
  setting: PluginSetting;
  stored: unknown;
  /** Null: nothing was edited. */
  changed: { to: unknown } | null;
  fault: string | undefined;
  onChange: (value: unknown) => void;
  /** Takes the edit back. */
  onKeep: () => void;
}

/** One setting of a plugin, by its type. */
export function SettingField(props: SettingFieldProps) {
  const { setting, stored, changed, fault, onChange } = props;
  const texts = useTexts(manageTexts);
  const { label, description, required, type } = setting;
  // A value that is set back shows its default.
  const value = changed === null ? stored : (changed.to ?? setting.default);
  const isDefault = isSame(value, setting.default) || setting.default === null;
  const frame: FieldProps = {
    label,
    help: description,
    error: fault,
    isRequired: required,
    more: !isDefault && type !== 'secret' && (
      <Button size="s" tone="quiet" label={texts.toDefaultOf(label)} onPress={() => onChange(null)}>
        {texts.toDefault}
      </Button>
    ),
  };
  if (type === 'secret') return <SecretSetting {...props} frame={frame} />;
  return <Control setting={setting} frame={frame} value={value} onChange={onChange} />;
}

export interface SettingControlProps {
  setting: PluginSetting;
  frame: FieldProps;
  value: unknown;
  onChange: (value: unknown) => void;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const CONTROLS: Readonly<
  Record<Exclude<PluginSetting['type'], 'secret'>, (props: SettingControlProps) => ReactNode>
> = {
  string: ({ frame, value, onChange }) => <TextField {...frame} value={textOf(value)} onChange={onChange} />,
  text: ({ frame, value, onChange }) => <TextArea {...frame} value={textOf(value)} onChange={onChange} />,
  boolean: ({ frame, value, onChange }) => <Switch {...frame} isOn={value === true} onChange={onChange} />,
  integer: NumberSetting,
  number: NumberSetting,
  select: SelectSetting,
  color: ColorSetting,
  object: ({ frame, value, onChange }) => <ObjectSetting frame={frame} value={value} onChange={onChange} />,
  entity: ({ frame, value, onChange }) => (
    <EntitySetting
      frame={frame}
      chosen={textOf(value) === '' ? [] : [textOf(value)]}
      onChange={([next = null]) => onChange(next)}
      most={1}
    />
  ),
  'entity-list': ({ frame, value, onChange }) => (
    <EntitySetting
      frame={frame}
      chosen={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
      most={Number.POSITIVE_INFINITY}
    />
  ),
};

function Control(props: SettingControlProps) {
  const { type } = props.setting;
  const Shown = CONTROLS[type === 'secret' ? 'string' : type];
  return <Shown {...props} />;
}

function NumberSetting({ setting, frame, value, onChange }: SettingControlProps) {
  const texts = useTexts(manageTexts);
  return (
    <NumberField
      {...frame}
      value={typeof value === 'number' || typeof value === 'string' ? value : null}
      onChange={onChange}
      min={setting.min}
      max={setting.max}
      buttons={texts}
    />
  );
}

/** Values may be numbers; a list of choices knows texts alone. */
function SelectSetting({ setting, frame, value, onChange }: SettingControlProps) {
  const texts = useTexts(manageTexts);
  const options = setting.options ?? [];
  const at = options.findIndex((option) => option.value === value);
  return (
    <Select
      {...frame}
      options={options.map(({ label }, index) => ({ id: String(index), label }))}
      value={at < 0 ? null : String(at)}
      onChange={(id) => onChange(options[Number(id)]?.value ?? null)}
      placeholder={texts.choosePlaceholder}
    />
  );
}

function ColorSetting({ frame, value, onChange }: SettingControlProps) {
  const texts = useTexts(manageTexts);
  return (
    <ColorField
      {...frame}
      value={textOf(value)}
      onChange={onChange}
      pickLabel={`${frame.label}: ${texts.pickColor}`}
    />
  );
}
