import { type Command, useAllCommands } from '../data/commands.ts';
import { useStore } from '../data/store.ts';
import { useTexts } from '../kit/i18n/texts.ts';
import { Dialog } from '../kit/ui/dialog.tsx';
import { appTexts } from './app-texts.ts';
import styles from './keyboard-help.module.css';
import { keyboardHelp } from './keyboard-help-state.ts';

const GROUPS = ['app', 'go', 'make', 'here'] as const;

/** All keys of this page, from the commands themselves. */
export function KeyboardHelp() {
  const texts = useTexts(appTexts);
  const isOpen = useStore(keyboardHelp);
  const commands = useAllCommands();
  const groups = GROUPS.map((group) => ({ group, keyed: keyedIn(group, commands) })).filter(
    ({ keyed }) => keyed.length > 0,
  );
  return (
    <Dialog
      title={texts.keyboardTitle}
      isOpen={isOpen}
      onClose={() => keyboardHelp.set(false)}
      closeLabel={texts.close}
    >
      {groups.map(({ group, keyed }) => (
        <section key={group} className={styles.group}>
          <h3>{texts.groups[group]}</h3>
          <dl className={styles.keys}>
            {keyed.map(({ id, title, keys }) => (
              <div key={id} className={styles.line}>
                <dt>{title}</dt>
                <dd>
                  <kbd className={styles.key}>{keys}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}

const keyedIn = (group: Command['group'], commands: readonly Command[]): Command[] =>
  commands.filter((command) => command.group === group && command.keys !== undefined);
