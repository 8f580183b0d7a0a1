import { type EntityAddress, useEntityDraft } from '../../../data/entity.ts';
import { usePlugins } from '../../../data/plugins/plugins.ts';
import type { RunningCommand } from '../../../data/plugins/run-command.ts';
import { isEnabled, type Surface, surfaceOf } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { frameTexts } from './frame-texts.ts';
import { PluginFrame } from './plugin-frame.tsx';

interface PluginCommandProps {
  running: RunningCommand;
  onClose: () => void;
}

/** A command of a plugin, above the page on which it was called. */
export function PluginCommand({ running, onClose }: PluginCommandProps) {
  const texts = useTexts(frameTexts);
  const { data = [] } = usePlugins(running.project);
  const plugin = data.find((each) => each.id === running.plugin && isEnabled(each));
  const command = plugin?.commands.find(({ id }) => id === running.command);
  const surface = plugin && command && surfaceOf(plugin, command);
  return (
    <Dialog
      title={surface?.title ?? texts.gone}
      isOpen
      onClose={onClose}
      closeLabel={texts.close}
      // Behind the frame too, so that the keyboard comes out of it at its end.
      actions={<Button onPress={onClose}>{texts.close}</Button>}
    >
      {!surface && texts.goneWhy}
      {surface && running.entity === null && <PluginFrame surface={surface} />}
      {surface && running.entity && <FrameOfEntity surface={surface} entity={running.entity} />}
    </Dialog>
  );
}

function FrameOfEntity({ surface, entity }: { surface: Surface; entity: EntityAddress }) {
  const opened = useEntityDraft(entity);
  return opened.state === 'open' && <PluginFrame surface={surface} draft={opened.draft} />;
}
