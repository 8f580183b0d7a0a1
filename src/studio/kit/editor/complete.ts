import { Compartment, type Extension } from '@codemirror/state';
import { type EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { NameListOptions } from './name-list.ts';
import { openLinkAt, writeBest } from './open-link.ts';

let list: typeof import('./name-list.ts') | undefined;

/** `[[` offers entities, and to make one. The list is loaded when somebody goes into a text, since readers need none. */
export function linkCompletion(options: NameListOptions): Extension {
  if (list) return list.nameList(options);
  const part = new Compartment();
  return part.of(untilLoaded(options, part));
}

function untilLoaded(options: NameListOptions, part: Compartment): Extension {
  const plugin = ViewPlugin.fromClass(
    class {
      isTyping = false;
      hasFailed = false;
      private isLoading = false;

      update({ view, docChanged, selectionSet, focusChanged, transactions }: ViewUpdate) {
        if (docChanged || selectionSet)
          this.isTyping = transactions.some((transaction) => transaction.isUserEvent('input.type'));
        if ((docChanged || focusChanged) && view.hasFocus && !this.isLoading) void this.load(view);
      }

      private async load(view: EditorView) {
        this.isLoading = true;
        // Where it fails, links can still be written, and the next key tries again.
        list = await (list ?? import('./name-list.ts').catch(() => undefined));
        this.isLoading = false;
        this.hasFailed = !list;
        if (!list) return;
        view.dispatch({ effects: part.reconfigure(list.nameList(options)) });
        if (this.isTyping && openLinkAt(view.state, view.state.selection.main.head)) list.openNameList(view);
      }
    },
  );
  const writeTyped = (view: EditorView) => {
    const typed = view.plugin(plugin);
    // Without a list to come, nobody would be shown the name that Enter writes.
    return typed?.isTyping === true && !typed.hasFailed && writeBest(view, options.names);
  };
  const refuse = (view: EditorView) => {
    const typed = view.plugin(plugin);
    if (typed) typed.isTyping = false;
    return false;
  };
  return [
    plugin,
    keymap.of([
      { key: 'Enter', run: writeTyped },
      { key: 'Escape', run: refuse },
    ]),
  ];
}
