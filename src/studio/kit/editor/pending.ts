import { type ChangeDesc, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import { element } from './widgets.ts';

interface Place {
  id: number;
  from: number;
  to: number;
  /** Shown until the text arrives. */
  placeholder: string;
}

const add = StateEffect.define<Place>({
  map: (place, changes) => ({ ...place, from: changes.mapPos(place.from), to: changes.mapPos(place.to) }),
});
const remove = StateEffect.define<number>();

const places = StateField.define<readonly Place[]>({
  create: () => [],
  update(value, { changes, effects }) {
    const arrived = effects.find((effect) => effect.is(remove))?.value ?? 0;
    // A text that arrives for a later place must not land before an earlier one that still waits beside it.
    const moved = value.map((place) => movedPlace(place, changes, place.id < arrived ? -1 : 1));
    return effects.reduce<readonly Place[]>((list, effect) => {
      if (effect.is(add)) return list.concat(effect.value);
      return effect.is(remove) ? list.filter(({ id }) => id !== effect.value) : list;
    }, moved);
  },
  provide: (field) =>
    EditorView.decorations.from(field, (value) =>
      Decoration.set(
        value
          .filter(({ placeholder }) => placeholder !== '')
          .map(({ to, placeholder }) =>
            Decoration.widget({ widget: new PlaceholderWidget(placeholder), side: 1 }).range(to),
          ),
        true,
      ),
    ),
});

function movedPlace(place: Place, changes: ChangeDesc, side: -1 | 1): Place {
  const from = changes.mapPos(place.from, side);
  return { ...place, from, to: Math.max(from, changes.mapPos(place.to, -1)) };
}

class PlaceholderWidget extends WidgetType {
  private readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq({ text }: PlaceholderWidget): boolean {
    return text === this.text;
  }

  override toDOM(): HTMLElement {
    return element('span', 'ce-placeholder', this.text);
  }
}

let last = 0;

/**
 * Writes a text that arrives later into the place that a range has moved to by then. Undefined, or a failure, leaves
 * the range as it is.
 */
export async function replaceLater(
  view: EditorView,
  range: { from: number; to: number; placeholder?: string },
  text: Promise<string | undefined>,
): Promise<void> {
  last += 1;
  const id = last;
  view.dispatch({ effects: add.of({ placeholder: '', ...range, id }) });
  const insert = await text.catch(() => undefined);
  const place = view.state.field(places).find((candidate) => candidate.id === id);
  if (!place) return;
  const { from, to } = place;
  view.dispatch({
    effects: remove.of(id),
    ...(insert !== undefined && { changes: { from, to, insert }, userEvent: 'input' }),
  });
}

export const pendingTexts: Extension = places;
