import { WidgetType } from '@codemirror/view';
import type { PictureSource } from './options.ts';
import { element } from './widgets.ts';

const WIDEST = 560;
const HIGHEST = 420;
const MARGINS = 16;
const NOTE_HEIGHT = 44;

/** It takes its room before it is loaded. */
export class PictureWidget extends WidgetType {
  private readonly source: PictureSource;
  private readonly width: number;
  private readonly height: number;

  constructor(source: PictureSource) {
    super();
    const scale = Math.min(1, WIDEST / source.width, HIGHEST / source.height);
    this.source = source;
    this.width = Math.round(source.width * scale);
    this.height = Math.round(source.height * scale);
  }

  override eq({ source, width, height }: PictureWidget): boolean {
    const { src, alt } = this.source;
    return source.src === src && source.alt === alt && width === this.width && height === this.height;
  }

  override get estimatedHeight(): number {
    return this.height + MARGINS;
  }

  override toDOM(): HTMLElement {
    const image = element('img', 'ce-image');
    image.width = this.width;
    image.height = this.height;
    image.style.setProperty('aspect-ratio', `${this.width} / ${this.height}`);
    image.alt = this.source.alt;
    image.decoding = 'async';
    image.src = this.source.src;
    const box = element('div', 'ce-picture');
    box.append(image);
    return box;
  }
}

interface NoteAction {
  label: string;
  run: () => void;
}

/** A box with words in the place of a picture. */
export class PictureNoteWidget extends WidgetType {
  private readonly text: string;
  private readonly action: NoteAction | undefined;

  constructor(text: string, action?: NoteAction) {
    super();
    this.text = text;
    this.action = action;
  }

  override eq({ text, action }: PictureNoteWidget): boolean {
    return text === this.text && action?.label === this.action?.label;
  }

  override get estimatedHeight(): number {
    return NOTE_HEIGHT;
  }

  override toDOM(): HTMLElement {
    const box = element('div', 'ce-picture');
    const note = element('span', 'ce-picture-note', this.text);
    note.dir = 'auto';
    box.append(note);
    if (this.action) {
      const button = element('button', 'ce-button', this.action.label);
      button.type = 'button';
      button.addEventListener('click', this.action.run);
      box.append(button);
    }
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
