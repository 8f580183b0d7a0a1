import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

/** An action with one entry here, which menus, the palette, the keyboard and its help all read. */
export interface Command {
  id: string;
  title: string;
  /** Hotkeys as in kit/hotkeys, such as `g h`. */
  keys?: string;
  /** The heading under which the keyboard's help lists it. */
  group: 'go' | 'make' | 'here' | 'app';
  /** False where its key means something else. Such a command is about what has the focus, and the palette has none. */
  isMeant?(): boolean;
  run(): void;
}

const sets = new Set<readonly Command[]>();
const commands = createStore<readonly Command[]>([]);
/** Of two with one id, such as of a page and of a peek above it, the later one counts. */
const publish = () => commands.set([...new Map([...sets].flat().map((one) => [one.id, one])).values()]);

export const commandsNow = (): readonly Command[] => commands.get();

export const useAllCommands = (): readonly Command[] => useStore(commands);

/** Offers commands while a component is shown. Give the same array as long as nothing in it changes. */
export function useCommands(offered: readonly Command[]): void {
  useEffect(() => {
    sets.add(offered);
    publish();
    return () => {
      sets.delete(offered);
      publish();
    };
  }, [offered]);
}
