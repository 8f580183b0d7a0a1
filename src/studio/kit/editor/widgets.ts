import { type EditorView, WidgetType } from '@codemirror/view';
import type { ShownLink } from '../../../content/references/links.ts';
import type { EditorMessages } from './messages.ts';
import type { EntityName } from './options.ts';

/** An element with a class and a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** An entity's name in the place of a link to it. */
export class EntityWidget extends WidgetType {
  private readonly text: string;
  private readonly color: string | undefined;
  private readonly description: string;

  constructor(link: ShownLink, entity: EntityName | undefined, messages: EditorMessages) {
    super();
    this.text = link.label ?? entity?.name ?? link.id;
    this.color = entity?.color;
    this.description = entity ? `${entity.name} (${entity.typeLabel})` : messages.missingEntity(link.id);
  }

  override eq({ text, color, description }: EntityWidget): boolean {
    return text === this.text && color === this.color && description === this.description;
  }

  override toDOM(): HTMLElement {
    const { text, color, description } = this;
    const dom = element('span', color === undefined ? 'ce-entity ce-missing' : 'ce-entity', text);
    dom.dir = 'auto';
    dom.title = description;
    if (color !== undefined) dom.style.setProperty('--entity-color', color);
    return dom;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** In the place of a mark. */
export class SignWidget extends WidgetType {
  private readonly className: string;
  private readonly text: string;

  constructor(className: string, text = '') {
    super();
    this.className = className;
    this.text = text;
  }

  override eq({ className, text }: SignWidget): boolean {
    return className === this.className && text === this.text;
  }

  override toDOM(): HTMLElement {
    return element('span', this.className, this.text);
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

export class TaskWidget extends WidgetType {
  private readonly isDone: boolean;
  private readonly label: string;

  constructor(isDone: boolean, label: string) {
    super();
    this.isDone = isDone;
    this.label = label;
  }

  override eq({ isDone, label }: TaskWidget): boolean {
    return isDone === this.isDone && label === this.label;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = element('input', 'ce-task');
    box.type = 'checkbox';
    box.checked = this.isDone;
    box.disabled = view.state.readOnly;
    box.setAttribute('aria-label', this.label);
    box.addEventListener('change', () => this.toggle(view, view.posAtDOM(box)));
    return box;
  }

  /** Its text is `[ ]` or `[x]`. */
  private toggle(view: EditorView, from: number) {
    view.dispatch({
      changes: { from: from + 1, to: from + 2, insert: this.isDone ? ' ' : 'x' },
      userEvent: 'input.task',
    });
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Of a panel above or below the text. A sign stands for the label where there is little room. */
export function panelButton(label: string, run: () => void, sign = ''): HTMLButtonElement {
  const button = element('button', 'ce-button', sign || label);
  if (sign) {
    button.setAttribute('aria-label', label);
    button.title = label;
  }
  button.type = 'button';
  button.addEventListener('click', run);
  return button;
}

/** Words of a panel, which screen readers say when they change. */
export function panelStatus(): HTMLElement {
  const status = element('span', 'ce-panel-text');
  status.setAttribute('role', 'status');
  return status;
}
