import { switchPlugin } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Switch } from '../../../kit/ui/switch.tsx';
import { manageTexts } from './manage-texts.ts';
import { useAction } from './use-action.ts';

/** One that waits for an answer is switched on already. A plugin that cannot run has no switch. */
export function EnabledSwitch({ plugin: { id, name, state } }: { plugin: Plugin }) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const { isPending, fault, run } = useAction();
  if (state === 'broken' || state === 'blocked') return null;
  return (
    <Switch
      label={texts.enable(name)}
      isOn={state !== 'disabled'}
      onChange={(isOn) => void run(() => switchPlugin(project, id, isOn))}
      isDisabled={isPending}
      error={fault}
    />
  );
}
