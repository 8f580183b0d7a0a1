import '../../../kit/theme/base.css';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { REAL_CALENDAR } from '../../../../content/canon/calendar/index.ts';
import { datesOf } from '../../../domain/calendar-text.ts';
import { withValueAt } from '../../../domain/field-path.ts';
import type { JsonSchema } from '../../../domain/form-field.ts';
import { UiProvider } from '../../../kit/ui/ui-provider.tsx';
import '../layout/layout.module.css';
import { useArrangement } from '../use-arrangement.ts';
import { EntityForm } from './entity-form.tsx';
import { FORM_MESSAGES } from './form-messages.ts';
import type { BlockProps, EntityFormProps, NamedEntity, NameLookup, PluginFieldProps } from './form-types.ts';
import styles from './harness.module.css';

/** The value that a test puts into `window.form` before the page loads. */
interface Given {
  schema: JsonSchema;
  values: Record<string, unknown>;
  props?: Partial<Pick<EntityFormProps, 'errors' | 'theirs' | 'presence' | 'readOnly' | 'wanted'>>;
  locale?: 'en' | 'de';
  direction?: 'rtl';
}

declare global {
  interface Window {
    form?: Given;
    /** The fields as they are now. */
    now: Record<string, unknown>;
    /** The calls that the form made to the page, in order. */
    asked: unknown[][];
    /** The template or the layout has changed. */
    follow: (schema: JsonSchema) => void;
  }
}

const NAMES: readonly NamedEntity[] = [
  { type: 'character', id: 'mira_vale', name: 'Mira Vale', status: 'active' },
  { type: 'character', id: 'orla_fenn', name: 'Orla Fenn', status: 'draft' },
  { type: 'character', id: 'oda_pell', name: 'Oda Pell', status: 'active' },
  { type: 'location', id: 'bell_house', name: 'Bell House', status: 'active' },
  { type: 'location', id: 'bell_stair', name: 'Bell Stair', status: 'active' },
  { type: 'faction', id: 'wardens', name: 'The Wardens of the Bell', status: 'active' },
];

const TYPES: Readonly<Record<string, { label: string; color: string }>> = {
  character: { label: 'Character', color: '#C8553D' },
  location: { label: 'Location', color: '#3F6E8C' },
  faction: { label: 'Faction', color: '#7A3B4E' },
};

const made: NamedEntity[] = [];

const names: NameLookup = {
  search: (text, { types, limit }) =>
    NAMES.filter(({ type }) => types === null || types.includes(type))
      .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase().slice(0, 4)))
      .slice(0, limit),
  find: (type, id) =>
    [...NAMES, ...made].find((entity) => entity.id === id && (type ?? entity.type) === entity.type),
};

window.asked = [];
const ask = (...asked: unknown[]) => {
  window.asked.push(asked);
};

const PICTURE =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="320" height="160"%3E%3Crect width="320" height="160" fill="%233F6E8C"/%3E%3Ccircle cx="230" cy="60" r="26" fill="%23F4E9CD"/%3E%3C/svg%3E';

const services = {
  names,
  typeOf: (type: string) => TYPES[type] ?? { label: type },
  onOpen: (ref: unknown) => ask('open', ref),
  onMake: async (type: string, name: string) => {
    ask('make', type, name);
    const entity = { type, id: name.toLowerCase().replaceAll(/\W+/g, '_'), name };
    made.push(entity);
    return entity;
  },
  images: {
    resolve: (path: string) => (path.startsWith('images/') ? PICTURE : null),
    upload: async (file: File) => {
      ask('upload', file.name, file.size);
      if (file.name.includes('broken')) throw new Error('no room');
      return `images/${file.name}`;
    },
  },
  dates: datesOf(REAL_CALENDAR),
  parts: {
    entity: { project: 'saltmere', type: 'character', id: 'mira_vale' },
    PluginField: ({ children }: PluginFieldProps) => children,
    Block: ({ name }: BlockProps) => <p>{`Block ${name}`}</p>,
  },
  onFocusField: (path: string) => ask('focus', path),
  lineHref: (line: number) => `#line-${line}`,
};

function Harness({ schema: first, values: start, props, locale = 'en' }: Given) {
  const [schema, setSchema] = useState(first);
  const [values, setValues] = useState(start);
  const arrangement = useArrangement(schema);
  const [theirs, setTheirs] = useState(props?.theirs ?? {});
  window.now = values;
  window.follow = setSchema;
  return (
    <div className={styles.page}>
      <h1>Form</h1>
      {arrangement && (
        <EntityForm
          {...services}
          arrangement={arrangement}
          schema={schema}
          values={values}
          onChange={(path, value) => {
            ask('change', path, value);
            setValues((before) => withValueAt(before, path, value));
          }}
          errors={{}}
          readOnly={false}
          messages={FORM_MESSAGES[locale]}
          {...props}
          theirs={theirs}
          onSettle={(path, side) => {
            ask('settle', path, side);
            setTheirs({});
          }}
        />
      )}
    </div>
  );
}

function start(given: Given): void {
  document.documentElement.dir = given.direction ?? 'ltr';
  document.documentElement.lang = given.locale ?? 'en';
  const root = document.querySelector('#root');
  if (!root) return;
  createRoot(root).render(
    <UiProvider
      locale={given.direction === 'rtl' ? 'ar' : (given.locale ?? 'en')}
      navigate={(href) => ask('go', href)}
    >
      <Harness {...given} />
    </UiProvider>,
  );
}

if (window.form) start(window.form);
