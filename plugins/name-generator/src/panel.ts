import '../../kit/plugin.css';
import './parts/panel.css';
import { copyText } from '../../kit/copy.ts';
import { h, part, replace } from '../../kit/dom.ts';
import { reasonOf, tell } from '../../kit/fault.ts';
import { type Context, canonry } from '../../kit/host.ts';
import { speak } from '../../kit/texts.ts';
import { type Choice, readChoices, readNames } from './parts/replies.ts';
import { texts } from './parts/texts.ts';

let language = speak(undefined);
let isLoaded = false;
let turn = 0;

const panel = canonry.panel({ onContext: (context) => void begin(context) });

const words = () => texts[language];

async function begin(context: Context): Promise<void> {
  language = speak(context.language);
  if (isLoaded) return;
  isLoaded = true;
  try {
    const [own, types, settings] = await Promise.all([
      panel.call('custom', { method: 'GET', path: '/cultures' }),
      panel.call('types.list', {}),
      panel.call('settings.get', {}),
    ]);
    const ofTypes = types.entity_types.map(({ entity_type, folder_name }) => ({
      id: `type:${entity_type}`,
      label: folder_name,
    }));
    draw(readChoices(own, language), ofTypes, settings.culture);
  } catch (error) {
    isLoaded = false;
    tell(words().fault(reasonOf(error)));
  }
}

function draw(cultures: readonly Choice[], types: readonly Choice[], chosen: unknown): void {
  const option = ({ id, label }: Choice) => h('option', { value: id, selected: id === chosen }, label);
  const select = h(
    'select',
    { id: 'culture' },
    h('optgroup', { label: words().cultures }, ...cultures.map(option)),
    h('optgroup', { label: words().types }, ...types.map(option)),
  );
  replace(
    part('form'),
    h('label', { for: 'culture' }, words().culture),
    select,
    h('button', { id: 'make', type: 'submit', class: 'main' }, words().make),
  );
  part('form').onsubmit = (event) => {
    event.preventDefault();
    void make(select.value);
  };
  part('status').textContent = words().empty;
}

async function make(culture: string): Promise<void> {
  turn += 1;
  const own = turn;
  tell(null);
  part('status').textContent = words().making;
  // If it is not kept, the user chooses it again next time.
  panel.call('settings.set_user', { values: { culture } }).catch(() => undefined);
  try {
    const path = `/names?count=8&culture=${encodeURIComponent(culture)}`;
    const names = readNames(await panel.call('custom', { method: 'GET', path }));
    if (own === turn) show(names);
  } catch (error) {
    if (own !== turn) return;
    part('status').textContent = '';
    tell(words().fault(reasonOf(error)));
  }
}

function show(names: readonly string[]): void {
  part('status').textContent = names.length === 0 ? words().none : words().made(names.length);
  replace(part('names'), ...names.map(line));
}

const line = (name: string) =>
  h(
    'li',
    {},
    h('span', { class: 'name' }, name),
    h(
      'button',
      { type: 'button', 'aria-label': words().useOf(name), onclick: () => panel.modify({ name }) },
      words().use,
    ),
    h(
      'button',
      { type: 'button', 'aria-label': words().copyOf(name), onclick: () => copy(name) },
      words().copy,
    ),
  );

function copy(name: string): void {
  if (copyText(name)) panel.toast(words().copied(name), 'success');
  else panel.toast(words().notCopied, 'warning');
}
