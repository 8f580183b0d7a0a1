import { type FormEvent, useId, useState } from 'react';
import { detailOf, fieldErrorsOf } from '../../../data/errors.ts';
import {
  type SettingsScope,
  type SettingValues,
  savePluginSettings,
  usePluginSettings,
} from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import { isSame } from '../../../domain/field-path.ts';
import type { Plugin, PluginSetting } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { showToast } from '../../../kit/ui/toasts.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { SettingField } from './setting-field.tsx';

interface SettingsSectionProps {
  plugin: Plugin;
  scope: SettingsScope;
}

/** The settings of a plugin, for everybody or for oneself; nothing where it has none. */
export function SettingsSection({ plugin, scope }: SettingsSectionProps) {
  const texts = useTexts(manageTexts);
  const heading = useId();
  if (plugin.settings[scope].length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {scope === 'global' ? texts.settingsOfWorld : texts.ownSettings}
      </h2>
      <Loaded plugin={plugin} scope={scope} />
    </section>
  );
}

function Loaded({ plugin, scope }: SettingsSectionProps) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const { data, error } = usePluginSettings(project, plugin.id, scope);
  if (data) return <SettingsForm plugin={plugin} scope={scope} values={data} />;
  return error ? (
    <Notice tone="error">{detailOf(error) ?? texts.settingsFailed}</Notice>
  ) : (
    <Skeleton lines={2} height="2.25rem" />
  );
}

function SettingsForm({ plugin, scope, values }: SettingsSectionProps & { values: SettingValues }) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const [changes, setChanges] = useState<Changes>({});
  const [error, setError] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  const isChanged = Object.keys(changes).length > 0;
  const canSave = isChanged && plugin.settings[scope].every((setting) => isWhole(setting, changes));
  const faults = fieldErrorsOf(error);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (isPending || !canSave) return;
    setPending(true);
    setError(null);
    try {
      await savePluginSettings(project, plugin.id, scope, changes);
      setChanges((now) => unsent(now, changes));
      showToast({ tone: 'success', text: texts.saved });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setPending(false);
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      {plugin.settings[scope].map((setting) => (
        <SettingField
          key={setting.key}
          setting={setting}
          stored={values[setting.key]}
          changed={Object.hasOwn(changes, setting.key) ? { to: changes[setting.key] } : null}
          fault={faults.get(setting.key)}
          onChange={(value) => setChanges((now) => ({ ...now, [setting.key]: value }))}
          onKeep={() => setChanges(({ [setting.key]: _, ...others }) => others)}
        />
      ))}
      {error !== null && <Notice tone="error">{detailOf(error) ?? texts.unreachable}</Notice>}
      <div className={styles.buttons}>
        <Button type="submit" tone="primary" isDisabled={!canSave} isPending={isPending}>
          {texts.save}
        </Button>
        {isChanged && <Button onPress={() => setChanges({})}>{texts.cancel}</Button>}
      </div>
    </form>
  );
}

type Changes = Readonly<Record<string, unknown>>;

/** Fields can be edited while they are saved. */
const unsent = (changes: Changes, sent: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).filter(([key, to]) => !Object.hasOwn(sent, key) || !isSame(to, sent[key])),
  );

/** An object is a text until that is one. */
const isWhole = ({ key, type }: PluginSetting, changes: Changes): boolean =>
  type !== 'object' || typeof changes[key] !== 'string';
