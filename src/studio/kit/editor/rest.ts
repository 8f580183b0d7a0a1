import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const REST_MS = 80;

/**
 * Calls back when the selection, the text and the focus have not changed for a moment. Never while the pointer is
 * down, when moving lines would slip away from it.
 */
export function atRest(callback: (view: EditorView) => void): Extension {
  return ViewPlugin.fromClass(
    class {
      private readonly view: EditorView;
      private readonly pointer = new AbortController();
      private timer = 0;
      private isPointerDown = false;

      constructor(view: EditorView) {
        this.view = view;
        const { signal } = this.pointer;
        const release = () => {
          this.isPointerDown = false;
          this.wait();
        };
        const press = () => {
          this.isPointerDown = true;
        };
        view.contentDOM.addEventListener('pointerdown', press, { signal });
        for (const type of ['pointerup', 'pointercancel'])
          view.dom.ownerDocument.addEventListener(type, release, { signal });
        this.wait();
      }

      update({ selectionSet, docChanged, focusChanged }: ViewUpdate) {
        if (selectionSet || docChanged || focusChanged) this.wait();
      }

      destroy() {
        this.pointer.abort();
        clearTimeout(this.timer);
      }

      private wait() {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.settle(), REST_MS);
      }

      private settle() {
        if (!this.isPointerDown) callback(this.view);
      }
    },
  );
}
