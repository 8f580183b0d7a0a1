import { h } from '../../../kit/dom.ts';
import type { TypeNames } from './describe.ts';
import type { Words } from './texts.ts';

export type View = 'map' | 'list';

interface Tools {
  view: View;
  /** Of all that could be shown, with their numbers. */
  types: readonly (readonly [string, number])[];
  hidden: ReadonlySet<string>;
  isFar: boolean;
  words: Words;
  names: TypeNames;
  onView: (view: View) => void;
  onHide: (type: string, isHidden: boolean) => void;
  onFar: (isFar: boolean) => void;
}

/** Map or list, one step or two, and which types. */
export function drawTools(tools: Tools): HTMLElement[] {
  const { view, types, hidden, isFar, words, names, onView, onHide, onFar } = tools;
  const button = (name: View) =>
    h(
      'button',
      {
        id: `as-${name}`,
        type: 'button',
        'aria-pressed': String(view === name),
        onclick: () => onView(name),
      },
      words[name],
    );
  const box = (id: string, label: string, isOn: boolean, onChange: (isOn: boolean) => void) => {
    const input = h('input', {
      id,
      type: 'checkbox',
      checked: isOn,
      onchange: () => onChange(input.checked),
    });
    return h('label', {}, input, label);
  };
  return [
    h('div', { role: 'group', 'aria-label': words.view, class: 'views' }, button('map'), button('list')),
    box('far', words.farther, isFar, onFar),
    h(
      'div',
      { role: 'group', 'aria-label': words.types, class: 'types' },
      ...types.map(([type, count]) =>
        box(`type-${type}`, `${names.many(type)} (${count})`, !hidden.has(type), (isOn) =>
          onHide(type, !isOn),
        ),
      ),
    ),
  ];
}
