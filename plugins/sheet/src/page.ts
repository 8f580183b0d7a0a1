import '../../kit/plugin.css';
import './parts/page.css';
import { copyText } from '../../kit/copy.ts';
import { h, part, replace } from '../../kit/dom.ts';
import { reasonOf, tell } from '../../kit/fault.ts';
import { type Context, canonry } from '../../kit/host.ts';
import { speak } from '../../kit/texts.ts';
import { applyChanges } from './parts/apply.ts';
import { ATTRIBUTES, type Column, fieldColumns } from './parts/columns.ts';
import { decode } from './parts/decode.ts';
import type { Entity } from './parts/entity.ts';
import { loadEntities } from './parts/load.ts';
import { type Plan, planOf } from './parts/plan.ts';
import { previewOf, reportOf } from './parts/preview.ts';
import { sheetOf } from './parts/sheet.ts';
import { texts } from './parts/texts.ts';

interface Chosen {
  type: string;
  columns: readonly Column[];
  /** Titles of those that are left out. */
  left: Set<string>;
}

let language = speak(undefined);
let hasBegun = false;
let chosen: Chosen | null = null;

const page = canonry.panel({ onContext: (context) => void begin(context), autoHeight: false });

const words = () => texts[language];

function say(text: string): void {
  part('status').textContent = text;
}

const tellError = (error: unknown): void => tell(words().fault(reasonOf(error)));

/** One thing at a time: while it runs, no other can be begun. */
async function working(work: () => Promise<void>): Promise<void> {
  const controls = [...document.querySelectorAll<HTMLButtonElement>('button, select, input')];
  const enabled = controls.filter((control) => !control.disabled);
  for (const control of enabled) control.disabled = true;
  tell(null);
  try {
    await work();
  } catch (error) {
    say('');
    tellError(error);
  } finally {
    for (const control of enabled) control.disabled = false;
  }
}

async function begin(context: Context): Promise<void> {
  language = speak(context.language);
  if (hasBegun) return;
  hasBegun = true;
  try {
    const { entity_types: types } = await page.call('types.list', {});
    draw(types);
    const [first] = types;
    if (first) await choose(first.entity_type);
  } catch (error) {
    hasBegun = false;
    tellError(error);
  }
}

function draw(types: readonly { entity_type: string; folder_name: string }[]): void {
  if (types.length === 0) {
    say(words().noTypes);
    return;
  }
  const options = types.map(({ entity_type, folder_name }) =>
    h('option', { value: entity_type }, folder_name),
  );
  const select = h('select', { id: 'type' }, ...options);
  select.onchange = () => void working(() => choose(select.value));
  replace(
    part('export'),
    h('h2', {}, words().export),
    h('p', {}, h('label', { for: 'type' }, words().type), ' ', select),
    h('div', { id: 'columns' }),
    h(
      'p',
      {},
      h('button', { type: 'button', class: 'main', onclick: () => void working(saveSheet) }, words().save),
      ' ',
      h('button', { type: 'button', onclick: () => void working(copySheet) }, words().copy),
    ),
    h('p', { class: 'quiet' }, words().hint),
  );
  const file = h('input', { id: 'file', type: 'file', accept: '.csv,.txt,.tsv,text/csv' });
  const paste = h('textarea', { id: 'paste', rows: 4, spellcheck: 'false' });
  const note = h('p', { class: 'quiet', role: 'status' });
  file.onchange = () =>
    void working(async () => {
      const opened = file.files?.[0];
      if (!opened) return;
      const { text, encoding } = decode(new Uint8Array(await opened.arrayBuffer()));
      paste.value = text;
      note.textContent = encoding === 'windows-1252' ? words().notUnicode(opened.name) : '';
    });
  replace(
    part('import'),
    h('h2', {}, words().import),
    h('p', {}, h('label', { for: 'file' }, words().file), ' ', file),
    note,
    h('label', { for: 'paste' }, words().paste),
    paste,
    h(
      'button',
      { type: 'button', class: 'main', onclick: () => void working(() => compare(paste.value)) },
      words().compare,
    ),
  );
}

async function choose(type: string): Promise<void> {
  const schema = await page.call('types.schema', { entity_type: type });
  chosen = { type, columns: [...ATTRIBUTES, ...fieldColumns(schema)], left: new Set() };
  part('result').replaceChildren();
  say('');
  drawColumns(chosen);
}

function drawColumns({ columns, left }: Chosen): void {
  const boxes = columns.map(({ title }) => {
    const box = h('input', { type: 'checkbox', checked: true });
    box.onchange = () => void (box.checked ? left.delete(title) : left.add(title));
    return h('label', {}, box, ` ${title}`);
  });
  replace(
    part('columns'),
    h(
      'details',
      {},
      h('summary', {}, words().columns(columns.length)),
      h('div', { class: 'boxes' }, ...boxes),
    ),
  );
}

const load = (type: string): Promise<Entity[]> =>
  loadEntities(page.call, type, (loaded, total) => say(words().loading(loaded, total)));

async function makeSheet(): Promise<string> {
  if (chosen === null) return '';
  const { type, columns, left } = chosen;
  const entities = await load(type);
  say(words().saved(entities.length));
  return sheetOf(
    entities,
    columns.filter(({ title }) => !left.has(title)),
  );
}

async function saveSheet(): Promise<void> {
  const content = new Blob([await makeSheet()], { type: 'text/csv;charset=utf-8' });
  await page.call('files.offer', { name: `${chosen?.type ?? 'sheet'}.csv`, content });
}

async function copySheet(): Promise<void> {
  if (copyText(await makeSheet())) page.toast(words().copied, 'success');
  else page.toast(words().notCopied, 'warning');
}

async function compare(text: string): Promise<void> {
  if (chosen === null) return;
  const { type, columns } = chosen;
  if (text.trim() === '') return say(words().nothing);
  const entities = await load(type);
  say('');
  showPlan(type, planOf(text, entities, columns));
}

function showPlan(type: string, plan: Plan): void {
  replace(
    part('result'),
    h('h2', {}, words().result),
    previewOf(plan, words(), () => void working(() => apply(type, plan))),
  );
}

async function apply(type: string, { changes }: Plan): Promise<void> {
  const all = changes.length;
  let isStopped = false;
  const halt = () => {
    isStopped = true;
  };
  const bar = h('progress', { max: all, value: 0, 'aria-label': words().progress(0, all) });
  const told = h('p', { role: 'status' }, words().progress(0, all));
  const stop = h('button', { type: 'button', onclick: halt }, words().stop);
  replace(part('result'), h('h2', {}, words().result), bar, told, stop);
  stop.focus();
  const outcomes = await applyChanges(changes, {
    call: page.call,
    type,
    isStopped: () => isStopped,
    onProgress(done) {
      bar.value = done;
      told.textContent = words().progress(done, all);
    },
  });
  replace(part('result'), h('h2', {}, words().result), reportOf(outcomes, all, words()));
}
