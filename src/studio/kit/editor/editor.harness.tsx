import '../theme/tokens.css';
import './harness.css';
import { createEditor, type Editor } from './editor.ts';
import type { EditorOptions } from './options.ts';
import { messages, names, pictures } from './world.harness.ts';

/** The editor's calls to its caller, and promises that tests settle. */
const heard = {
  texts: [] as string[],
  places: [] as unknown[],
  opened: [] as unknown[],
  modes: [] as string[],
  cards: [] as string[],
  made: [] as PromiseWithResolvers<{ type: string; id: string } | null>[],
  uploads: [] as (PromiseWithResolvers<string> & { name: string })[],
};

const harness = {
  heard,
  editor: undefined as unknown as Editor,
  open(text: string, options: Partial<EditorOptions> = {}) {
    harness.editor?.destroy();
    for (const list of Object.values(heard)) list.length = 0;
    harness.editor = createEditor({
      parent: document.querySelector('#root') as HTMLElement,
      text,
      label: 'Text of Mira Vale',
      language: 'en',
      readOnly: false,
      mode: 'preview',
      messages,
      names,
      pictures,
      onChange: (changed) => heard.texts.push(changed),
      onCursor: (place) => heard.places.push(place),
      onMode: (mode) => heard.modes.push(mode),
      onOpen: (ref, how) => heard.opened.push({ ...ref, ...how }),
      onMake() {
        const answer = Promise.withResolvers<{ type: string; id: string } | null>();
        heard.made.push(answer);
        return answer.promise;
      },
      onUpload({ name }) {
        const answer = Promise.withResolvers<string>();
        heard.uploads.push({ ...answer, name });
        return answer.promise;
      },
      onCard({ id }, card) {
        heard.cards.push(id);
        card.textContent = `Card of ${id}`;
        return () => heard.cards.push(`${id} closed`);
      },
      ...options,
    });
    harness.editor.focus();
  },
};

declare global {
  interface Window {
    harness: typeof harness;
  }
}

window.harness = harness;
